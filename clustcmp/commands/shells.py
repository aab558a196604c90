"""The scripts that let shells complete the command line of clustcmp.

Typer's own scripts do not fit: the one for bash breaks words at : and =, which file.csv::COLUMN and
nmi:average=geometric have, and a space follows every word. These scripts ask the program in the way
in which Typer's script for fish does: the line up to the cursor goes in, a line for each word comes
out, with a tab before its meaning. Where no word comes out, paths are completed, also after NAME=.

Typer fills in what stands in %(...)s; every other per cent sign is doubled.
"""

from __future__ import annotations

# What asks the program, which is called as it was typed. Typer wraps the meanings of words at the
# number of columns, and an empty line stands for no words.
ASK = (
    "env COLUMNS=9999 %(autocomplete_var)s=complete_fish _TYPER_COMPLETE_FISH_ACTION=get-args "
    '_TYPER_COMPLETE_ARGS="$line" "$program" 2>/dev/null'
)

# bash replaces what stands after the last : or = only, so the part before it is cut off.
BASH = f"""
%(complete_func)s() {{
    local line="${{COMP_LINE:0:COMP_POINT}}" program="$1" current="${{COMP_WORDS[COMP_CWORD]}}"
    local typed="${{line##* }}" value
    local -a found
    [[ $current =~ ^[:=]+$ ]] && current=""
    mapfile -t found < <({ASK})
    COMPREPLY=()
    for value in "${{found[@]}}"; do
        [[ $value ]] || continue
        value="${{value%%%%$'\\t'*}}"
        value="${{value#"${{typed%%"$current"}}"}}"
        [[ $value == *[=:] ]] && compopt -o nospace
        printf -v value %%q "$value"
        COMPREPLY+=("$value")
    done
}}

complete -o default -F %(complete_func)s %(prog_name)s
"""

# zsh takes a file in its folder of completions for the body of a function, and calls it for words.
ZSH = f"""
#compdef %(prog_name)s

%(complete_func)s() {{
    local line="${{(j: :)words[1,CURRENT]}}" program="${{words[1]}}" answer value entry
    local -a found whole begun
    found=("${{(@f)$({ASK})}}")
    compset -P 1 '--*='
    for answer in $found; do
        value="${{answer%%%%$'\\t'*}}"
        entry="${{value//:/\\\\:}}"
        [[ $answer == *$'\\t'* ]] && entry+=":${{answer#*$'\\t'}}"
        if [[ $value == *[=:] ]]; then begun+=("$entry"); else whole+=("$entry"); fi
    done
    if (( $#whole + $#begun )); then
        (( $#whole )) && _describe -V word whole
        (( $#begun )) && _describe -V word begun -S ''
    else
        compset -P 1 '*='
        _files
    fi
}}

if [[ ${{funcstack[1]}} == _%(prog_name)s ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

FISH = f"""
function %(complete_func)s
    set --local line (commandline -cp)
    set --local program (commandline -opc)[1]
    set --local token (commandline -ct)
    set --local flag (string match --regex -- '^--[^=]+=' $token)
    set --local found ({ASK} | string match --regex '.+')
    if not count $found >/dev/null
        set flag (string match --regex -- '^[^=/:]+=' $token)
        set found (__fish_complete_path (string replace -- "$flag" '' $token))
    end
    for answer in $found
        echo -- "$flag$answer"
    end
end

complete --command %(prog_name)s --no-files --arguments '(%(complete_func)s)'
"""


def use_own_scripts() -> None:
    """Let --install-completion and --show-completion hand out these scripts."""
    from typer import _completion_shared as shared

    shared._completion_scripts.update(bash=BASH, zsh=ZSH, fish=FISH)
