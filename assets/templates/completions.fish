function __glassformer_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l option (string match -r -- '^--[a-z-]+=' "$word")
    set -l path (string replace -r -- '^--[a-z-]+=' '' "$word")
    for line in (glassformer __complete -- $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' "$option"(__fish_complete_path "$path")
            case :folders
                printf '%s\n' "$option"(__fish_complete_directories "$path")
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c glassformer -f -a '(__glassformer_complete)'
