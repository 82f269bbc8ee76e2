#compdef glassformer
_glassformer() {
    local line
    local -a answers
    for line in "${(@f)$(glassformer __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
        '') ;;
        :files) compset -P '--*='; _files ;;
        :folders) compset -P '--*='; _files -/ ;;
        *) answers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    (( ! $#answers )) || _describe glassformer answers
}
if [[ $funcstack[1] == _glassformer ]]; then _glassformer "$@"
else compdef _glassformer glassformer; fi
