# bash completion for absolink. It needs no other package.

__absolink_get_comp_words_by_ref()
{
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@"
        return
    fi
    local i word before rest="${COMP_LINE}"
    words=() cword=0
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        word="${COMP_WORDS[i]}"
        before="${rest%%[![:space:]]*}"
        rest="${rest#"${before}"}"
        rest="${rest#"${word}"}"
        if ((i > 0)) && [[ -z ${before} ]] && { [[ ${word} == [=:]* ]] || [[ ${words[${#words[@]}-1]} == *[=:] ]]; }; then
            words[${#words[@]}-1]+="${word}"
        else
            words+=("${word}")
        fi
        if ((i == COMP_CWORD)); then
            cword=$((${#words[@]} - 1))
        fi
    done
    cur="${words[cword]}" prev=""
    if ((cword > 0)); then
        prev="${words[cword-1]}"
    fi
}

