// Makes a completion script for bash (3.2 and later) from the commands and their flags.
import type { DescribedCommand } from "../../cli/command.ts";
import type { Flag } from "../../cli/flag.ts";

/** Returns the script. The script does not need the package bash-completion. */
export function bashScriptOf(described: readonly DescribedCommand[]): string {
  const named = described.filter(({ name }) => name !== "");
  return `# bash completion for robots-stream, made by: robots-stream completion bash
_robots_stream() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= word= flags= actions= choices= kind= takes_files=
  # bash splits --flag=value into three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD > 1)); then word=\${COMP_WORDS[1]}; fi
  if [[ $word == help ]]; then
    COMPREPLY=($(compgen -W ${wordsOf(named.map(({ name }) => name))} -- "$cur"))
    return
  fi
  case $word in
    ${named.map(({ name }) => name).join("|")}) command=$word ;;
  esac
  case $command in
${described.map(commandCaseOf).join("\n")}
  esac
  case "$command $prev" in
${described.flatMap((command) => command.flags.flatMap((flag) => valueCasesOf(command.name, flag))).join("\n")}
  esac
  case $kind in
    choices)
      COMPREPLY=($(compgen -W "$choices" -- "$cur"))
      return ;;
    list)
      local before=
      if [[ $cur == *,* ]]; then before=\${cur%,*},; fi
      COMPREPLY=($(compgen -P "$before" -W "$choices" -- "\${cur##*,}"))
      compopt -o nospace 2>/dev/null
      return ;;
    files)
      local IFS=$'\\n'
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -W "\${choices// /$'\\n'}" -- "$cur") $(compgen -f -- "$cur"))
      return ;;
    text)
      return ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  # The first word is a command or a file; the first word of some commands is an action.
  if ((COMP_CWORD == 1)); then choices=${wordsOf([...named.map(({ name }) => name), "help"])}
  elif ((COMP_CWORD == 2)) && [[ -n $command ]]; then choices=$actions
  fi
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -W "\${choices// /$'\\n'}" -- "$cur"))
  if [[ -n $takes_files ]]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -F _robots_stream robots-stream
`;
}

/** Returns the `case` branch that sets the variables `flags`, `actions` and `takes_files` for a command. */
function commandCaseOf({ name, flags, actions, takesFiles }: DescribedCommand): string {
  const names = flags.flatMap(({ name: flag, short }) => [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])]);
  return `    ${name === "" ? "''" : name})
      flags=${wordsOf(names)}
      actions=${wordsOf(actions)}
      takes_files=${takesFiles ? "yes" : ""} ;;`;
}

/** Returns the `case` branch that sets the completions of a flag's value; none for a flag without a value. */
function valueCasesOf(command: string, { name, short, value, takes, file, choices, isList }: Flag): string[] {
  if (value === undefined) return [];
  const words = [`'${command} --${name}'`];
  if (short !== undefined) words.push(`'${command} -${short}'`);
  const kind = file !== undefined ? "files" : choices === undefined ? "text" : isList === true ? "list" : "choices";
  const set = `choices=${wordsOf(choices ?? [])} kind=${kind}`;
  // A flag with `takes` has an optional value. The script completes this value only after a "=".
  const isAfterSign =
    takes !== undefined
      ? `if [[ \${COMP_WORDS[COMP_CWORD]} == = || \${COMP_WORDS[COMP_CWORD-1]} == = ]]; then ${set}; fi`
      : set;
  return [`    ${words.join("|")}) ${isAfterSign} ;;`];
}

/** Joins words with blanks into one quoted word of the shell. The words must contain no quotation marks. */
function wordsOf(words: readonly string[]): string {
  return `'${words.join(" ")}'`;
}
