import { styleFor } from "./colours.ts";
import { type Command, complained, DONE, type Here, type Operated, REFUSED, type Values } from "./operated.ts";
import { REMOTE_OPTIONS, wrongUrl } from "./remote.ts";

const SIGNS = { fine: "✓", wrong: "✗", note: "!" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "checks settings, store, files, clocks, port and accounts, and says what to do",
  about:
    "It leaves nothing behind: the file that it writes to try the place of documents it removes. It works beside a running server, " +
    "and looks at DATABASE_READ_URL too. ✓ is fine, ! is worth knowing, ✗ is wrong: then it ends with 1.",
  options: { url: REMOTE_OPTIONS.url! },
  examples: [
    ["npx --no-install tenderhall doctor", "Before the first start, and when something is strange:"],
    ["MODE=production ACCOUNTS_FILE=accounts.json npx --no-install tenderhall doctor --json", "From a monitor:"],
  ],
  read: (values, positionals) => {
    const misused = positionals.length > 0 ? "doctor takes options only" : wrongUrl(values);
    return misused ? { misused } : (here) => examine(values, here);
  },
};

async function examine(values: Values, here: Here): Promise<Operated> {
  const { findingsOf } = await import("./checkups.ts");
  const findings = await findingsOf(values, here.environment);
  const { good, warning, bad } = styleFor(here.terminal.out, here.environment);
  const paint = { fine: good, note: warning, wrong: bad };
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  const lines = findings.map(
    ({ check, state, found, then }) =>
      `${paint[state](SIGNS[state])} ${check.padEnd(10)} ${found}${then ? `\n             ${then}` : ""}\n`,
  );
  const end =
    wrong === 0
      ? "Nothing is wrong.\n"
      : `${wrong} of ${findings.length} checks ${wrong === 1 ? "is" : "are"} wrong.\n`;
  return complained(wrong === 0 ? DONE : REFUSED, [], `${lines.join("")}\n${end}`, { fine: wrong === 0, findings });
}
