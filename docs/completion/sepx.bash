# sepx completion for bash; made by 'sepx help --as bash'.
_sepx()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} names='' operands=''
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W 'ged canon draw bench help --help --version' -- "$word"))
        return
    fi
    case $command:$before in
    ged:--pairs) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ged:--matrix) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ged:--pinned) return ;;
    ged:--costs) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ged:--cost) return ;;
    ged:--time-limit | ged:-t) return ;;
    ged:--at-most) return ;;
    ged:--most-maps) return ;;
    ged:--threads) return ;;
    draw:--output | draw:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    draw:--format | draw:-f) COMPREPLY=($(compgen -W 'dot svg png' -- "$word")); return ;;
    draw:--title) return ;;
    draw:--pinned) return ;;
    draw:--time-limit | draw:-t) return ;;
    bench:--seed) return ;;
    bench:--timeout) return ;;
    bench:--python) COMPREPLY=($(compgen -f -- "$word")); return ;;
    help:--as) COMPREPLY=($(compgen -W 'text man markdown bash zsh fish' -- "$word")); return ;;
    esac
    case $command in
    ged) names='--path --json --pairs --matrix --pinned --ignore-labels --costs --cost --time-limit --at-most --all-maps --most-maps --threads --help' ;;
    canon) names='--groups --graphs --json --help' ;;
    draw) names='--output --format --title --pinned --ignore-labels --time-limit --help' ;;
    bench) names='--quick --json --seed --no-networkx --timeout --python --help' operands='ged' ;;
    help) names='--as --help' operands='ged canon draw bench help' ;;
    esac
    if [ "${word#-}" != "$word" ]; then
        COMPREPLY=($(compgen -W "$names" -- "$word"))
    elif [ -n "$operands" ]; then
        COMPREPLY=($(compgen -W "$operands" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _sepx sepx
