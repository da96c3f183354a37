import { type CliCommand, type Option, successResult } from "./command.ts";
import { allOptionsOf } from "./usage.ts";

/** What a shell offers while a command is being typed, made of the table of commands. */

const SHELLS = ["bash", "zsh"] as const;

/** The table is handed in by whoever makes it, as this command is in it. */
export const completionOf = (commands: () => readonly CliCommand[]): CliCommand => ({
  name: "completion",
  takes: "bash|zsh",
  choices: SHELLS,
  summary: "prints what makes the shell complete commands and options",
  about:
    "It completes `tenderhall`, so give that name to however you call it, such as alias tenderhall='npx --no-install tenderhall'.",
  options: {},
  hasNoJson: true,
  examples: [
    [`source <(npx --no-install tenderhall completion bash)`, "In ~/.bashrc:"],
    [`source <(npx --no-install tenderhall completion zsh)`, "In ~/.zshrc, after compinit:"],
  ],
  parse: (_values, [shell, ...more]) => {
    const print = shell === "bash" ? bashCompletion : shell === "zsh" ? zshCompletion : undefined;
    if (!print || more.length > 0) return { misused: "completion takes bash or zsh" };
    return async () => successResult(print(commands()));
  },
});

type WordsByPath = { readonly [path: string]: readonly string[] };

/** What may follow which words; "" is the beginning. */
function nextWords(commands: readonly CliCommand[]): WordsByPath {
  const firsts = [...new Set(commands.map(({ name }) => name.split(" ")[0]!)), "help"];
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

const FILES = ["FILE", "FOLDER", "DIR", "FROM", "TO"];

const quoteWords = (words: readonly string[]): string => `'${words.join(" ")}'`;

/** What is offered after an option with a value. */
const completionAction = ({ takes, choices, offers = choices }: Option): string =>
  offers ? `found=${quoteWords(offers)}` : FILES.includes(takes!) ? "files=1" : ":";

/** By the command and its option: the same option may take something else elsewhere. */
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

/** The same function for both shells; only how an answer is given differs. */
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
