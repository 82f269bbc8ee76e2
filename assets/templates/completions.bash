_glassformer() {
    local line at words=() word=${COMP_WORDS[COMP_CWORD]#=}
    COMPREPLY=()
    for ((at = 1; at < COMP_CWORD; at++)); do # --theme=dark is three words here
        [ "${COMP_WORDS[at]}" = = ] || words+=("${COMP_WORDS[at]}")
    done
    while IFS= read -r line; do
        case $line in
        :files) mapfile -tO ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
        :folders) mapfile -tO ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
        *) COMPREPLY+=("${line%%$'\t'*}"); continue ;;
        esac
        compopt -o filenames 2>/dev/null
    done < <(glassformer __complete -- "${words[@]}" "$word" 2>/dev/null)
}
complete -F _glassformer glassformer
