import { type Advance, type Client, type Clock, type Found, TenderhallError } from "../client/index.ts";
import { SEGMENTS } from "../dialects/dialects.ts";
import { type Command, type Run, said, type Values } from "./operated.ts";
import { REMOTE_OPTIONS, withRemote } from "./remote.ts";
import { tableOf } from "./tables.ts";

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

export const clockNew: Command = {
  name: "clock new",
  summary: "makes a test clock; tenders created with the header X-Test-Clock live on it (sandbox)",
  options: { now: { takes: "TIME", means: "where it begins; default: now" }, ...REMOTE_OPTIONS },
  examples: [
    ["npx --no-install tenderhall clock new --now 2026-11-16T10:00:00+02:00", "A clock that begins on a Monday:"],
  ],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "clock new takes options only" };
    const { now } = values as { now?: string };
    return told(values, ({ clocks }) => clocks.create({ now }));
  },
};

export const clockShow: Command = {
  name: "clock show",
  takes: "ID",
  summary: "tells a clock's time, its tenders, and what happens next",
  options: REMOTE_OPTIONS,
  examples: [["npx --no-install tenderhall clock show 5c1f...", "What lives on it:"]],
  read: (values, [id, ...more]) => {
    if (!id || more.length > 0) return { misused: "clock show takes the ID of one clock" };
    return told(values, ({ clocks }) => clocks.get(id));
  },
};

export const clockAdvance: Command = {
  name: "clock advance",
  takes: "ID",
  summary: "moves a clock on, and carries out all that falls due; it never goes back",
  options: {
    to: { takes: "TIME", means: "to that time" },
    by: { takes: "DURATION", means: "by an ISO 8601 duration such as P1DT2H, or by seconds" },
    next: { means: "to the next deadline of any tender on it" },
    ...REMOTE_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall clock advance 5c1f... --next", "To whatever happens next:"],
    ["npx --no-install tenderhall clock advance 5c1f... --by P7D", "A week further:"],
  ],
  read: (values, [id, ...more]) => {
    if (!id || more.length > 0) return { misused: "clock advance takes the ID of one clock" };
    const move = moveOf(values);
    if (!move) return { misused: "clock advance takes one of --to, --by and --next" };
    return told(values, ({ clocks }) => clocks.advance(id, move));
  },
};

function moveOf({ to, by, next }: Values): Advance | undefined {
  if ([to, by, next].filter((one) => one !== undefined).length !== 1) return undefined;
  if (typeof to === "string") return { to };
  if (typeof by === "string") return { by: /^\d+(\.\d+)?$/.test(by) ? Number(by) : by };
  return { next: true };
}

const told = (values: Values, ask: (client: Client) => Promise<Found<Clock>>): Run =>
  withRemote(values, async ({ client, url }) => {
    const { data } = await ask(client).catch(async (error) => {
      const isMissing = error instanceof TenderhallError && error.status === 404;
      if (isMissing && !(await hasClocks(client))) throw new Error(`${url} has no test clocks: only a sandbox does`);
      throw error;
    });
    return said(textOf(data), data);
  });

function textOf({ id, now, next_check: next, tenders = [] }: Clock): string {
  const head = `Clock ${id}\nnow   ${now}\nnext  ${next ?? "nothing, as time alone changes no tender on it"}\n`;
  if (tenders.length === 0)
    return `${head}\nNo tender lives on it yet: send X-Test-Clock: ${id} with POST /api/${SEGMENTS.at(-1)}/tenders.\n`;
  const rows = tenders.map(({ tenderID, status, next_check = "" }) => [tenderID, status, next_check]);
  return `${head}\n${tableOf(["TENDER", "STATUS", "NEXT"], rows)}`;
}
