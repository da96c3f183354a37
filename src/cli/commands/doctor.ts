import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  EXIT_OK,
  type OptionValues,
  resultWithMessages,
} from "../command.ts";
import { styleFor } from "../output/colours.ts";
import { urlProblem, WRITE_OPTIONS } from "../remote.ts";

const SYMBOLS = { fine: "✓", wrong: "✗", note: "!" } as const;

export const doctor: CliCommand = {
  name: "doctor",
  summary: "checks settings, store, files, clocks, port and accounts, and says what to do",
  about:
    "It leaves nothing behind: the file that it writes to try the place of documents it removes. It works beside a running server, " +
    "and looks at DATABASE_READ_URL too. ✓ is fine, ! is worth knowing, ✗ is wrong: then it ends with 1.",
  options: { url: WRITE_OPTIONS.url! },
  examples: [
    ["npx --no-install tenderhall doctor", "Before the first start, and when something is strange:"],
    ["MODE=production ACCOUNTS_FILE=accounts.json npx --no-install tenderhall doctor --json", "From a monitor:"],
  ],
  parse: (values, positionals) => {
    const misused = positionals.length > 0 ? "doctor takes options only" : urlProblem(values);
    return misused ? { misused } : (here) => runDoctor(values, here);
  },
};

async function runDoctor(values: OptionValues, context: CliContext): Promise<CommandResult> {
  const { runChecks: findingsOf } = await import("../checks.ts");
  const findings = await findingsOf(values, context.environment);
  const { good, warning, bad } = styleFor(context.terminal.out, context.environment);
  const paint = { fine: good, note: warning, wrong: bad };
  const wrongCount = findings.filter(({ state }) => state === "wrong").length;
  const lines = findings.map(
    ({ check, state, found, then }) =>
      `${paint[state](SYMBOLS[state])} ${check.padEnd(10)} ${found}${then ? `\n             ${then}` : ""}\n`,
  );
  const conclusion =
    wrongCount === 0
      ? "Nothing is wrong.\n"
      : `${wrongCount} of ${findings.length} checks ${wrongCount === 1 ? "is" : "are"} wrong.\n`;
  return resultWithMessages(wrongCount === 0 ? EXIT_OK : EXIT_FAILURE, [], `${lines.join("")}\n${conclusion}`, {
    fine: wrongCount === 0,
    findings,
  });
}
