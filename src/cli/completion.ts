import { type CliCommand, type Option, successResult } from "./command.ts";
import { allOptionsOf } from "./usage.ts";

const SHELLS = ["bash", "zsh"] as const;

/** The command `completion`. It takes the table of commands as a function, because it is part of the table itself. */
export const completionOf = (commands: () => readonly CliCommand[]): CliCommand => ({
  name: "completion",
  takes: "bash|zsh",
  choices: SHELLS,
  summary: "prints the shell script that completes commands and options",
  about:
    "The script completes the command `tenderhall`. If you call it in another way, define an alias: alias tenderhall='npx --no-install tenderhall'.",
  options: {},
  hasNoJson: true,
  examples: [
    [`source <(npx --no-install tenderhall completion bash)`, "In ~/.bashrc:"],
    [`source <(npx --no-install tenderhall completion zsh)`, "In ~/.zshrc, after compinit:"],
  ],
  parse: (_values, [shell, ...extra]) => {
    const print = shell === "bash" ? bashCompletion : shell === "zsh" ? zshCompletion : undefined;
    if (!print || extra.length > 0) return { usageError: "completion takes bash or zsh" };
    return async () => successResult(print(commands()));
  },
});

/** The first word of a command: its whole name, or the family that it belongs to. */
export const firstWord = ({ name }: CliCommand): string => name.replace(/ .*/, "");

type WordsByPath = { readonly [path: string]: readonly string[] };

/** The words that may follow each path of words; `""` is the start of the line. */
function nextWords(commands: readonly CliCommand[]): WordsByPath {
  const firsts = [...new Set(commands.map(firstWord)), "help"];
  const families = firsts.flatMap((first) => {
    const seconds = commands.flatMap(({ name }) =>
      name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
    );
    return seconds.length > 0 ? [[first, seconds] as const] : [];
  });
  const choices = commands.flatMap(({ name, choices: choicesOfCommand }) =>
    choicesOfCommand ? [[name, choicesOfCommand] as const] : [],
  );
  return { "": [...firsts, "--help", "--version"], help: firsts, ...Object.fromEntries([...families, ...choices]) };
}

const optionNames = (command: CliCommand): readonly string[] =>
  Object.keys(allOptionsOf(command)).map((name) => `--${name}`);

/** The placeholders of values that are paths. */
const FILES = ["FILE", "FOLDER", "DIR", "FROM", "TO"];

const quoteWords = (words: readonly string[]): string => `'${words.join(" ")}'`;

/** The shell code that offers the values of an option. */
const completionAction = ({ takes = "", choices, offers = choices }: Option): string =>
  offers ? `found=${quoteWords(offers)}` : FILES.includes(takes) ? "files=1" : ":";

/** Cases by command and option, because the same option can take different values in different commands. */
function valueCases(commands: readonly CliCommand[]): readonly (readonly [pattern: string, then: string])[] {
  const byAction = new Map<string, string[]>();
  for (const command of commands)
    for (const [name, option] of Object.entries(allOptionsOf(command)))
      if (option.takes)
        byAction.set(completionAction(option), [
          ...(byAction.get(completionAction(option)) ?? []),
          `'${command.name} --${name}'`,
        ]);
  return [...byAction].map(([then, patterns]) => [patterns.join("|"), `${then}; return`] as const);
}

function cases(entries: Iterable<readonly [string, string]>, indent: string): string {
  return [...entries].map(([pattern, then]) => `${indent}${pattern}) ${then} ;;\n`).join("");
}

/** The shell function that finds completions, the same for both shells. Only the way they are returned differs. */
function completionFunction(commands: readonly CliCommand[]): string {
  const wordsByPath = nextWords(commands);
  const next = Object.entries(wordsByPath).map(([path, words]) => [`'${path}'`, `found=${quoteWords(words)}`] as const);
  const options = commands.map(
    (command) => [`'${command.name}'`, `found=${quoteWords(optionNames(command))}`] as const,
  );
  const families = Object.keys(wordsByPath).filter(
    (path) => commands.some(({ name }) => name.startsWith(`${path} `)) && path,
  );
  const folders = commands.filter(({ takes }) => FILES.includes(takes ?? "")).map(({ name }) => `'${name}'`);
  return `# Words before the one being typed are in "$@"; that one is in $typed.
_tenderhall_find() {
  found='' files=''
  local typed=$1 before='' word='' last='' count=0
  shift
  for word in "$@"; do
    last=$word
    case $word in
      -*) continue ;;
    esac
    case $count:$before in
      0:) before=$word count=1 ;;
${cases([[families.map((family) => `1:${family}`).join("|"), "before=$before' '$word count=2"]], "      ")}    esac
  done
  case $before' '$last in
${cases(valueCases(commands), "    ")}  esac
  case $typed in
    -*)
      case $before in
${cases([["''", "found='--help --version'"], ...options], "        ")}      esac
      return ;;
  esac
  case $before in
${cases(next, "    ")}${cases([[folders.join("|"), "files=1"]], "    ")}  esac
}
`;
}

const bashCompletion = (commands: readonly CliCommand[]): string => `# bash completion of tenderhall
${completionFunction(commands)}
_tenderhall() {
  local found files typed=\${COMP_WORDS[COMP_CWORD]}
  _tenderhall_find "$typed" "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=()
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$typed"))
  else
    COMPREPLY=($(compgen -W "$found" -- "$typed"))
  fi
}
complete -F _tenderhall tenderhall
`;

const zshCompletion = (commands: readonly CliCommand[]): string => `#compdef tenderhall
${completionFunction(commands)}
_tenderhall() {
  local found files typed=$words[CURRENT]
  _tenderhall_find "$typed" "\${(@)words[2,CURRENT-1]}"
  if [[ -n $files ]]; then
    _files
  else
    compadd -- \${=found}
  fi
}
compdef _tenderhall tenderhall
`;
