# sepx completion for bash; made by 'sepx help --as bash'.
_sepx()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} verbs=''
    local names='' operands=''
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W 'ged canon draw convert space sample mutate cross search compare study server data theory reproduce bench doctor help --help --version' -- "$word"))
        return
    fi
    case $command in
    study) verbs='run work status trial best lineage predict watch report export add import copy verify list' ;;
    server) verbs='start stop url' ;;
    *) ;;
    esac
    if [ -n "$verbs" ] && [ "$COMP_CWORD" = 2 ]; then
        COMPREPLY=($(compgen -W "$verbs --help" -- "$word"))
        return
    fi
    [ -n "$verbs" ] && command="$command ${COMP_WORDS[2]}"
    case "$command:$before" in
    'ged:--pairs') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'ged:--matrix') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'ged:--nearest') return ;;
    'ged:--within') return ;;
    'ged:--index') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'ged:--output' | 'ged:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'ged:--pinned') return ;;
    'ged:--costs') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'ged:--cost') return ;;
    'ged:--time-limit' | 'ged:-t') return ;;
    'ged:--at-most') return ;;
    'ged:--most-maps') return ;;
    'ged:--root') return ;;
    'ged:--map') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'ged:--threads') return ;;
    'draw:--output' | 'draw:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'draw:--format' | 'draw:-f') COMPREPLY=($(compgen -W "dot svg png" -- "$word")); return ;;
    'draw:--title') return ;;
    'draw:--pinned') return ;;
    'draw:--time-limit' | 'draw:-t') return ;;
    'draw:--around') return ;;
    'convert:--out' | 'convert:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'convert:--from') COMPREPLY=($(compgen -W "$(sepx help --as values formats 2>/dev/null)" -- "$word")); return ;;
    'convert:--to') COMPREPLY=($(compgen -W "$(sepx help --as values formats 2>/dev/null)" -- "$word")); return ;;
    'space:--samples' | 'space:-n') return ;;
    'space:--seed') return ;;
    'space:--effort') return ;;
    'space:--draw' | 'space:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'sample:--space' | 'sample:-s') COMPREPLY=($(compgen -f -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'sample:--seed') return ;;
    'sample:--count' | 'sample:-n') return ;;
    'mutate:--space' | 'mutate:-s') COMPREPLY=($(compgen -f -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'mutate:--rules') COMPREPLY=($(compgen -W "$(sepx help --as values rules 2>/dev/null)" -- "$word")); return ;;
    'mutate:--rule') return ;;
    'mutate:--seed') return ;;
    'mutate:--count' | 'mutate:-n') return ;;
    'cross:--crossover' | 'cross:-x') COMPREPLY=($(compgen -W "$(sepx help --as values crossovers 2>/dev/null)" -- "$word")); return ;;
    'cross:--output' | 'cross:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'cross:--format' | 'cross:-f') COMPREPLY=($(compgen -W "dot svg png" -- "$word")); return ;;
    'cross:--count' | 'cross:-n') return ;;
    'cross:--space' | 'cross:-s') COMPREPLY=($(compgen -f -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'cross:--rules') COMPREPLY=($(compgen -W "$(sepx help --as values rules 2>/dev/null)" -- "$word")); return ;;
    'cross:--rule') return ;;
    'cross:--seed') return ;;
    'search:--method' | 'search:-m') COMPREPLY=($(compgen -W "$(sepx help --as values methods 2>/dev/null)" -- "$word")); return ;;
    'search:--crossover' | 'search:-x') COMPREPLY=($(compgen -W "$(sepx help --as values crossovers 2>/dev/null)" -- "$word")); return ;;
    'search:--option' | 'search:-O') return ;;
    'search:--space' | 'search:-s') COMPREPLY=($(compgen -f -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'search:--eval' | 'search:-e') COMPREPLY=($(compgen -W "$(sepx help --as values evaluators 2>/dev/null)" -- "$word")); return ;;
    'search:--objective') return ;;
    'search:--where') return ;;
    'search:--evals' | 'search:-n') return ;;
    'search:--runs' | 'search:-r') return ;;
    'search:--at') return ;;
    'search:--x') COMPREPLY=($(compgen -W "evals time" -- "$word")); return ;;
    'search:--threads') return ;;
    'search:--rules') COMPREPLY=($(compgen -W "$(sepx help --as values rules 2>/dev/null)" -- "$word")); return ;;
    'search:--rule') return ;;
    'search:--seed') return ;;
    'search:--frequencies') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'compare:--space' | 'compare:-s') COMPREPLY=($(compgen -f -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'compare:--eval' | 'compare:-e') COMPREPLY=($(compgen -W "$(sepx help --as values evaluators 2>/dev/null)" -- "$word")); return ;;
    'compare:--objective') return ;;
    'compare:--where') return ;;
    'compare:--evals' | 'compare:-n') return ;;
    'compare:--runs' | 'compare:-r') return ;;
    'compare:--at') return ;;
    'compare:--x') COMPREPLY=($(compgen -W "evals time" -- "$word")); return ;;
    'compare:--threads') return ;;
    'compare:--rules') COMPREPLY=($(compgen -W "$(sepx help --as values rules 2>/dev/null)" -- "$word")); return ;;
    'compare:--rule') return ;;
    'compare:--seed') return ;;
    'compare:--against') return ;;
    'study run:--config') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'study run:--space' | 'study run:-s') COMPREPLY=($(compgen -f -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'study run:--eval' | 'study run:-e') COMPREPLY=($(compgen -W "$(sepx help --as values evaluators 2>/dev/null)" -- "$word")); return ;;
    'study run:--objective') return ;;
    'study run:--where') return ;;
    'study run:--method' | 'study run:-m') COMPREPLY=($(compgen -W "$(sepx help --as values methods 2>/dev/null)" -- "$word")); return ;;
    'study run:--crossover' | 'study run:-x') COMPREPLY=($(compgen -W "$(sepx help --as values crossovers 2>/dev/null)" -- "$word")); return ;;
    'study run:--option' | 'study run:-O') return ;;
    'study run:--rules') COMPREPLY=($(compgen -W "$(sepx help --as values rules 2>/dev/null)" -- "$word")); return ;;
    'study run:--rule') return ;;
    'study run:--seed') return ;;
    'study run:--window') return ;;
    'study run:--crew') return ;;
    'study run:--time-limit') return ;;
    'study run:--memory-limit') return ;;
    'study run:--retries') return ;;
    'study run:--mean-of') return ;;
    'study run:--checkpoints') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'study run:--prune') COMPREPLY=($(compgen -W "median" -- "$word")); return ;;
    'study run:--evals' | 'study run:-n') return ;;
    'study run:--workers') return ;;
    'study run:--slots') return ;;
    'study run:--time') return ;;
    'study run:--count') COMPREPLY=($(compgen -W "trials evaluations" -- "$word")); return ;;
    'study run:--until') return ;;
    'study run:--patience') return ;;
    'study run:--max-failures') return ;;
    'study run:--name') return ;;
    'study run:--lease') return ;;
    'study run:--eval-hash') return ;;
    'study work:--eval') return ;;
    'study work:--workers') return ;;
    'study work:--slots') return ;;
    'study work:--idle-exit') return ;;
    'study work:--name') return ;;
    'study work:--lease') return ;;
    'study work:--eval-hash') return ;;
    'study best:--count' | 'study best:-n') return ;;
    'study lineage:--depth' | 'study lineage:-d') return ;;
    'study lineage:--output' | 'study lineage:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'study lineage:--format' | 'study lineage:-f') COMPREPLY=($(compgen -W "dot svg png" -- "$word")); return ;;
    'study watch:--listen') return ;;
    'study report:--output' | 'study report:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'study export:--format' | 'study export:-f') COMPREPLY=($(compgen -W "csv jsonl dot graphml optuna tensorboard" -- "$word")); return ;;
    'server start:--listen') return ;;
    'server start:--port') return ;;
    'server start:--connections') return ;;
    'server start:--certificate') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'server start:--key') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'server url:--role') COMPREPLY=($(compgen -W "owner worker reader" -- "$word")); return ;;
    'server url:--host') return ;;
    'data:--out' | 'data:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'data:--space' | 'data:-s') COMPREPLY=($(compgen -W "$(sepx help --as values spaces 2>/dev/null)" -- "$word")); return ;;
    'data:--graph') return ;;
    'data:--metrics') return ;;
    'data:--nb101-test-sums') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'data:--seed') return ;;
    'theory:--n') return ;;
    'theory:--edges') return ;;
    'theory:--d-opt') return ;;
    'theory:--d-12') return ;;
    'theory:--alpha-eta') return ;;
    'theory:--epsilon') return ;;
    'theory:--p-m') return ;;
    'theory:--b') return ;;
    'theory:--stdx-trials') COMPREPLY=($(compgen -W "round mix floor ceil" -- "$word")); return ;;
    'theory:--trials') return ;;
    'theory:--seed') return ;;
    'theory:--population') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'theory:--target') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'theory:--space' | 'theory:-s') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'theory:--samples') return ;;
    'theory:--parents') COMPREPLY=($(compgen -W "related independent" -- "$word")); return ;;
    'theory:--rules') return ;;
    'theory:--threads') return ;;
    'theory:--map') return ;;
    'theory:--figure') return ;;
    'theory:--all-figures') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'theory:--output' | 'theory:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'theory:--format' | 'theory:-f') COMPREPLY=($(compgen -W "csv json gp svg png" -- "$word")); return ;;
    'reproduce:--out' | 'reproduce:-o') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'reproduce:--verify') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'reproduce:--seed') return ;;
    'reproduce:--runs') return ;;
    'reproduce:--evals') return ;;
    'reproduce:--table') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'reproduce:--nb301') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'reproduce:--threads') return ;;
    'reproduce:--python') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'bench:--seed') return ;;
    'bench:--pairs') return ;;
    'bench:--timeout') return ;;
    'bench:--python') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'help:--as') COMPREPLY=($(compgen -W "text man markdown bash zsh fish values" -- "$word")); return ;;
    esac
    case $command in
    'ged') names='--path --json --pairs --matrix --csv --nearest --within --index --output --progress-json --pinned --ignore-labels --costs --cost --time-limit --at-most --all-maps --most-maps --root --map --price --normalize --threads --help' ;;
    'canon') names='--groups --graphs --json --help' ;;
    'draw') names='--output --format --title --pinned --ignore-labels --time-limit --sideways --around --whole --help' ;;
    'convert') names='--out --from --to --drop-keys --list --json --help' ;;
    'space') names='--samples --seed --effort --draw --json --help' operands='check count list show' ;;
    'sample') names='--space --seed --count --help' ;;
    'mutate') names='--space --rules --rule --seed --count --help' ;;
    'cross') names='--crossover --explain --output --format --count --json --space --rules --rule --seed --help' ;;
    'search') names='--method --crossover --option --space --eval --objective --where --evals --runs --at --x --threads --json --rules --rule --seed --frequencies --list --help' ;;
    'compare') names='--space --eval --objective --where --evals --runs --at --x --threads --json --rules --rule --seed --csv --against --times --help' ;;
    'study run') names='--config --space --eval --objective --where --method --crossover --option --rules --rule --seed --window --crew --async --repeats --maximize --time-limit --memory-limit --retries --mean-of --checkpoints --prune --evals --retry-failed --workers --slots --time --count --until --patience --max-failures --kill-at-limit --quiet --name --lease --eval-hash --new-files --no-work --json --help' ;;
    'study work') names='--eval --workers --slots --one --idle-exit --quiet --json --name --lease --eval-hash --new-files --help' ;;
    'study status') names='--json --help' ;;
    'study trial') names='--json --help' ;;
    'study best') names='--count --graph --json --help' ;;
    'study lineage') names='--depth --json --output --format --help' ;;
    'study predict') names='--json --help' ;;
    'study watch') names='--listen --help' ;;
    'study report') names='--output --help' ;;
    'study export') names='--format --times --config --help' ;;
    'study add') names='--json --help' ;;
    'study import') names='--json --help' ;;
    'study copy') names='--repair --help' ;;
    'study verify') names='--json --help' ;;
    'study list') names='--json --help' ;;
    'server start') names='--listen --port --connections --certificate --key --help' ;;
    'server stop') names='--help' ;;
    'server url') names='--role --host --help' ;;
    'data') names='--out --space --graph --metrics --once --skip --nbnlp --nb101-test-sums --seed --csv --json --help' operands='table info verify query import build cells' ;;
    'theory') names='--n --edges --d-opt --d-12 --alpha-eta --epsilon --p-m --b --stdx-trials --clip-rl --trials --seed --measured --population --target --space --samples --parents --rules --labels --threads --map --figure --all-figures --output --format --json --help' ;;
    'reproduce') names='--quick --out --list --verify --seed --runs --evals --table --nb301 --threads --python --help' operands="$(sepx help --as values reproduce 2>/dev/null)" ;;
    'bench') names='--quick --json --seed --pairs --no-networkx --no-numpy --timeout --python --help' operands='data eval ged networks search study theory' ;;
    'doctor') names='--json --help' ;;
    'help') names='--as --help' ;;
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
