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
import { URL_OPTION, urlProblem } from "../remote.ts";

const SYMBOLS = { fine: "✓", wrong: "✗", note: "!" } as const;

export const doctor: CliCommand = {
  name: "doctor",
  summary: "checks settings, store, files, clocks, port and accounts, and suggests fixes",
  about:
    "The command changes nothing: it removes the file that it writes to test document storage. It can run while the server runs, and " +
    "also checks DATABASE_READ_URL. ✓ is fine, ! is worth knowing, ✗ is a problem; if there is one, the exit code is 1.",
  options: URL_OPTION,
  examples: [
    ["npx --no-install tenderhall doctor", "Before the first start, and when something does not work:"],
    ["MODE=production ACCOUNTS_FILE=accounts.json npx --no-install tenderhall doctor --json", "For monitoring:"],
  ],
  parse: (values, positionals) => {
    const usageError = positionals.length > 0 ? "doctor takes only options" : urlProblem(values);
    return usageError ? { usageError } : (context) => runDoctor(values, context);
  },
};

async function runDoctor(values: OptionValues, context: CliContext): Promise<CommandResult> {
  const { runChecks } = await import("../checks.ts");
  const findings = await runChecks(values, context.environment);
  const { good, warning, bad } = styleFor(context.terminal.out, context.environment);
  const paint = { fine: good, note: warning, wrong: bad };
  const wrongCount = findings.filter(({ state }) => state === "wrong").length;
  const lines = findings.map(
    ({ check, state, found, then }) =>
      `${paint[state](SYMBOLS[state])} ${check.padEnd(10)} ${found}${then ? `\n             ${then}` : ""}\n`,
  );
  const conclusion = wrongCount === 0 ? "No problems found.\n" : `${wrongCount} of ${findings.length} checks failed.\n`;
  return resultWithMessages(wrongCount === 0 ? EXIT_OK : EXIT_FAILURE, [], `${lines.join("")}\n${conclusion}`, {
    fine: wrongCount === 0,
    findings,
  });
}
