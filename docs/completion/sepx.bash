# sepx completion for bash; made by 'sepx help --as bash'.
_sepx()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} names='' operands=''
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W 'ged canon draw space sample mutate cross search compare resume status best lineage export verify data theory reproduce bench help --help --version' -- "$word"))
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
    space:--samples | space:-n) return ;;
    space:--seed) return ;;
    space:--effort) return ;;
    space:--draw | space:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    sample:--space | sample:-s) COMPREPLY=($(compgen -f -- "$word")); return ;;
    sample:--seed) return ;;
    sample:--count | sample:-n) return ;;
    mutate:--space | mutate:-s) COMPREPLY=($(compgen -f -- "$word")); return ;;
    mutate:--rules) return ;;
    mutate:--rule) return ;;
    mutate:--seed) return ;;
    mutate:--count | mutate:-n) return ;;
    cross:--crossover | cross:-x) return ;;
    cross:--output | cross:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    cross:--format | cross:-f) COMPREPLY=($(compgen -W 'dot svg png' -- "$word")); return ;;
    cross:--count | cross:-n) return ;;
    cross:--space | cross:-s) COMPREPLY=($(compgen -f -- "$word")); return ;;
    cross:--rules) return ;;
    cross:--rule) return ;;
    cross:--seed) return ;;
    search:--method | search:-m) return ;;
    search:--crossover | search:-x) return ;;
    search:--option | search:-O) return ;;
    search:--space | search:-s) COMPREPLY=($(compgen -f -- "$word")); return ;;
    search:--eval | search:-e) return ;;
    search:--evals | search:-n) return ;;
    search:--runs | search:-r) return ;;
    search:--at) return ;;
    search:--x) COMPREPLY=($(compgen -W 'evals time' -- "$word")); return ;;
    search:--threads) return ;;
    search:--rules) return ;;
    search:--rule) return ;;
    search:--seed) return ;;
    search:--frequencies) COMPREPLY=($(compgen -f -- "$word")); return ;;
    search:--study) COMPREPLY=($(compgen -f -- "$word")); return ;;
    search:--window) return ;;
    search:--time-limit) return ;;
    search:--memory-limit) return ;;
    search:--retries) return ;;
    search:--mean-of) return ;;
    search:--checkpoints) COMPREPLY=($(compgen -f -- "$word")); return ;;
    search:--workers) return ;;
    search:--slots) return ;;
    search:--time) return ;;
    compare:--space | compare:-s) COMPREPLY=($(compgen -f -- "$word")); return ;;
    compare:--eval | compare:-e) return ;;
    compare:--evals | compare:-n) return ;;
    compare:--runs | compare:-r) return ;;
    compare:--at) return ;;
    compare:--x) COMPREPLY=($(compgen -W 'evals time' -- "$word")); return ;;
    compare:--threads) return ;;
    compare:--rules) return ;;
    compare:--rule) return ;;
    compare:--seed) return ;;
    compare:--against) return ;;
    resume:--evals | resume:-n) return ;;
    resume:--workers) return ;;
    resume:--slots) return ;;
    resume:--time) return ;;
    best:--count | best:-n) return ;;
    lineage:--depth | lineage:-d) return ;;
    export:--format | export:-f) COMPREPLY=($(compgen -W 'csv jsonl dot' -- "$word")); return ;;
    data:--out | data:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    data:--nb101-test-sums) COMPREPLY=($(compgen -f -- "$word")); return ;;
    data:--seed) return ;;
    theory:--n | theory:-n) return ;;
    theory:--edges | theory:-e) return ;;
    theory:--d-opt) return ;;
    theory:--d-12) return ;;
    theory:--alpha-eta) return ;;
    theory:--epsilon) return ;;
    theory:--p-m) return ;;
    theory:--b) return ;;
    theory:--stdx-trials) COMPREPLY=($(compgen -W 'round mix floor ceil' -- "$word")); return ;;
    theory:--trials | theory:-t) return ;;
    theory:--seed) return ;;
    theory:--population | theory:-p) COMPREPLY=($(compgen -f -- "$word")); return ;;
    theory:--target) COMPREPLY=($(compgen -f -- "$word")); return ;;
    theory:--space | theory:-s) COMPREPLY=($(compgen -f -- "$word")); return ;;
    theory:--samples) return ;;
    theory:--parents) COMPREPLY=($(compgen -W 'related independent' -- "$word")); return ;;
    theory:--rules) return ;;
    theory:--threads) return ;;
    theory:--map | theory:-m) return ;;
    theory:--figure) return ;;
    theory:--all-figures) COMPREPLY=($(compgen -f -- "$word")); return ;;
    theory:--output | theory:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    theory:--format | theory:-f) COMPREPLY=($(compgen -W 'csv json gp svg png' -- "$word")); return ;;
    reproduce:--out | reproduce:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    reproduce:--verify) COMPREPLY=($(compgen -f -- "$word")); return ;;
    reproduce:--seed) return ;;
    reproduce:--runs) return ;;
    reproduce:--evals) return ;;
    reproduce:--table) COMPREPLY=($(compgen -f -- "$word")); return ;;
    reproduce:--nb301) COMPREPLY=($(compgen -f -- "$word")); return ;;
    reproduce:--threads) return ;;
    reproduce:--python) COMPREPLY=($(compgen -f -- "$word")); return ;;
    bench:--seed) return ;;
    bench:--timeout) return ;;
    bench:--python) COMPREPLY=($(compgen -f -- "$word")); return ;;
    help:--as) COMPREPLY=($(compgen -W 'text man markdown bash zsh fish' -- "$word")); return ;;
    esac
    case $command in
    ged) names='--path --json --pairs --matrix --pinned --ignore-labels --costs --cost --time-limit --at-most --all-maps --most-maps --threads --help' ;;
    canon) names='--groups --graphs --json --help' ;;
    draw) names='--output --format --title --pinned --ignore-labels --time-limit --help' ;;
    space) names='--samples --seed --effort --draw --json --help' operands='check list show' ;;
    sample) names='--space --seed --count --help' ;;
    mutate) names='--space --rules --rule --seed --count --help' ;;
    cross) names='--crossover --explain --output --format --count --json --space --rules --rule --seed --help' ;;
    search) names='--method --crossover --option --space --eval --evals --runs --at --x --threads --json --rules --rule --seed --frequencies --study --window --async --repeats --maximize --time-limit --memory-limit --retries --mean-of --checkpoints --workers --slots --time --quiet --list --help' ;;
    compare) names='--space --eval --evals --runs --at --x --threads --json --rules --rule --seed --csv --against --times --help' ;;
    resume) names='--evals --workers --slots --time --quiet --json --help' ;;
    status) names='--json --help' ;;
    best) names='--count --graph --json --help' ;;
    lineage) names='--depth --json --help' ;;
    export) names='--format --times --help' ;;
    verify) names='--json --help' ;;
    data) names='--out --nbnlp --nb101-test-sums --seed --csv --json --help' operands='import build info verify query cells' ;;
    theory) names='--n --edges --d-opt --d-12 --alpha-eta --epsilon --p-m --b --stdx-trials --clip-rl --trials --seed --measured --population --target --space --samples --parents --rules --labels --threads --map --figure --all-figures --output --format --json --help' ;;
    reproduce) names='--quick --out --list --verify --seed --runs --evals --table --nb301 --threads --python --help' ;;
    bench) names='--quick --json --seed --no-networkx --no-numpy --timeout --python --help' operands='data eval ged search study theory' ;;
    help) names='--as --help' operands='ged canon draw space sample mutate cross search compare resume status best lineage export verify data theory reproduce bench help' ;;
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
