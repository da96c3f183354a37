import { type Advance, type ApiResponse, type Client, type Clock, TenderhallError } from "../../client/index.ts";
import { SEGMENTS } from "../../dialects/dialects.ts";
import { type CliCommand, type OptionValues, type RunCommand, successResult } from "../command.ts";
import { formatTable } from "../output/tables.ts";
import { WRITE_OPTIONS, withRemote } from "../remote.ts";

/** Test clocks of a sandbox: tenders that live on one move when it does. */

/** Only a sandbox has clocks. */
export async function hasClocks({ clocks }: Client): Promise<boolean> {
  try {
    await clocks.list();
    return true;
  } catch (error) {
    if (error instanceof TenderhallError && (error.status === 404 || error.status === 405)) return false;
    throw error;
  }
}

export const clockNew: CliCommand = {
  name: "clock new",
  summary: "makes a test clock; tenders created with the header X-Test-Clock live on it (sandbox)",
  options: { now: { takes: "TIME", means: "where it begins; default: now" }, ...WRITE_OPTIONS },
  examples: [
    ["npx --no-install tenderhall clock new --now 2026-11-16T10:00:00+02:00", "A clock that begins on a Monday:"],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { misused: "clock new takes options only" };
    const { now } = values as { now?: string };
    return clockCommand(values, ({ clocks }) => clocks.create({ now }));
  },
};

export const clockShow: CliCommand = {
  name: "clock show",
  takes: "ID",
  summary: "tells a clock's time, its tenders, and what happens next",
  options: WRITE_OPTIONS,
  examples: [["npx --no-install tenderhall clock show 5c1f...", "What lives on it:"]],
  parse: (values, [id, ...more]) => {
    if (!id || more.length > 0) return { misused: "clock show takes the ID of one clock" };
    return clockCommand(values, ({ clocks }) => clocks.get(id));
  },
};

export const clockAdvance: CliCommand = {
  name: "clock advance",
  takes: "ID",
  summary: "moves a clock on, and carries out all that falls due; it never goes back",
  options: {
    to: { takes: "TIME", means: "to that time" },
    by: { takes: "DURATION", means: "by an ISO 8601 duration such as P1DT2H, or by seconds" },
    next: { means: "to the next deadline of any tender on it" },
    ...WRITE_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall clock advance 5c1f... --next", "To whatever happens next:"],
    ["npx --no-install tenderhall clock advance 5c1f... --by P7D", "A week further:"],
  ],
  parse: (values, [id, ...more]) => {
    if (!id || more.length > 0) return { misused: "clock advance takes the ID of one clock" };
    const move = advanceOf(values);
    if (!move) return { misused: "clock advance takes one of --to, --by and --next" };
    return clockCommand(values, ({ clocks }) => clocks.advance(id, move));
  },
};

function advanceOf({ to, by, next }: OptionValues): Advance | undefined {
  if ([to, by, next].filter((option) => option !== undefined).length !== 1) return undefined;
  if (typeof to === "string") return { to };
  if (typeof by === "string") return { by: /^\d+(\.\d+)?$/.test(by) ? Number(by) : by };
  return { next: true };
}

const clockCommand = (values: OptionValues, action: (client: Client) => Promise<ApiResponse<Clock>>): RunCommand =>
  withRemote(values, async ({ client, url }) => {
    const { data } = await action(client).catch(async (error) => {
      const isMissing = error instanceof TenderhallError && error.status === 404;
      if (isMissing && !(await hasClocks(client))) throw new Error(`${url} has no test clocks: only a sandbox does`);
      throw error;
    });
    return successResult(formatClock(data), data);
  });

function formatClock({ id, now, next_check: next, tenders = [] }: Clock): string {
  const head = `Clock ${id}\nnow   ${now}\nnext  ${next ?? "nothing, as time alone changes no tender on it"}\n`;
  if (tenders.length === 0)
    return `${head}\nNo tender lives on it yet: send X-Test-Clock: ${id} with POST /api/${SEGMENTS.at(-1)}/tenders.\n`;
  const rows = tenders.map(({ tenderID, status, next_check = "" }) => [tenderID, status, next_check]);
  return `${head}\n${formatTable(["TENDER", "STATUS", "NEXT"], rows)}`;
}
