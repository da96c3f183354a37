import { type Advance, type ApiResponse, type Client, type Clock, TenderhallError } from "../../client/index.ts";
import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import { type CliCommand, type OptionValues, type RunCommand, successResult, textOption } from "../command.ts";
import { formatTable } from "../output/tables.ts";
import { WRITE_OPTIONS, withRemote } from "../remote.ts";

/** Whether the registry is a sandbox: only a sandbox has test clocks. */
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
  summary: "creates a test clock, for tenders created with the header X-Test-Clock (sandbox)",
  options: { now: { takes: "TIME", description: "the time it starts at; default: now" }, ...WRITE_OPTIONS },
  examples: [
    ["npx --no-install tenderhall clock new --now 2026-11-16T10:00:00+02:00", "A clock that starts on a Monday:"],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "clock new takes only options" };
    const now = textOption(values, "now");
    return clockCommand(values, ({ clocks }) => clocks.create({ now }));
  },
};

export const clockShow: CliCommand = {
  name: "clock show",
  takes: "ID",
  summary: "shows the time of a clock, its tenders and the next deadline",
  options: WRITE_OPTIONS,
  examples: [["npx --no-install tenderhall clock show 5c1f...", "The tenders on a clock:"]],
  parse: (values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "clock show takes the ID of one clock" };
    return clockCommand(values, ({ clocks }) => clocks.get(id));
  },
};

export const clockAdvance: CliCommand = {
  name: "clock advance",
  takes: "ID",
  summary: "moves a clock forward and carries out everything that falls due",
  options: {
    to: { takes: "TIME", description: "to this time" },
    by: { takes: "DURATION", description: "by an ISO 8601 duration such as P1DT2H, or by seconds" },
    next: { description: "to the next deadline of any tender on it" },
    ...WRITE_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall clock advance 5c1f... --next", "To the next deadline:"],
    ["npx --no-install tenderhall clock advance 5c1f... --by P7D", "A week forward:"],
  ],
  parse: (values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "clock advance takes the ID of one clock" };
    const advance = advanceOf(values);
    if (!advance) return { usageError: "clock advance takes one of --to, --by and --next" };
    return clockCommand(values, ({ clocks }) => clocks.advance(id, advance));
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
  const head = `Clock ${id}\nnow   ${now}\nnext  ${next ?? "none: no tender on it has a deadline"}\n`;
  if (tenders.length === 0)
    return `${head}\nIt has no tenders yet: send the header X-Test-Clock: ${id} with POST /api/${CURRENT_SEGMENT}/tenders.\n`;
  const rows = tenders.map(({ tenderID, status, next_check = "" }) => [tenderID, status, next_check]);
  return `${head}\n${formatTable(["TENDER", "STATUS", "NEXT"], rows)}`;
}
