import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Tender, TenderhallError } from "../client/index.ts";
import type { Config, Environment } from "../config.ts";
import { type Json, parseJson, UNBOUNDED } from "../dialects/json.ts";
import { ask } from "./ask.ts";
import { styleFor } from "./colours.ts";
import {
  type Command,
  complained,
  type Here,
  type Operated,
  REFUSED,
  said,
  type Values,
  withSettings,
} from "./operated.ts";
import { READING_OPTIONS, type Remote, withRemote } from "./remote.ts";
import { plainJson } from "./tables.ts";
import { overviewOf } from "./tenderOverview.ts";

const WHERE =
  "Without --url and TENDERHALL_URL it looks into the registry at this machine, if DATA_DIR or DATABASE_URL is given or " +
  "./data holds one; otherwise it asks the server over HTTP.";

/** Shows one tender: at the machine itself, beside the running server or without one; or over HTTP. */
export const tenderShow: Command = {
  name: "tender show",
  takes: "ID|TENDERID",
  summary: "shows the tender as everyone sees it, with --json in full, or with --raw as it is kept",
  about: WHERE,
  options: {
    raw: { means: "as it is kept, sealed bids included, with its revision; at this machine only" },
    ...READING_OPTIONS,
  },
  examples: [
    [
      "npx --no-install tenderhall tender show UA-2026-11-16-000001 --url https://tenders.example",
      "By the number people know:",
    ],
    ["npx --no-install tenderhall tender show 0b2e... --json", "In full, for a program:"],
    ["npx --no-install tenderhall tender show 0b2e... --raw > tender.json", "To be repaired:"],
  ],
  read: (values, [id, ...more]) => {
    if (!id || more.length > 0) return { misused: "tender show takes the ID of one tender" };
    const raw = values.raw === true;
    if (raw && values.url !== undefined)
      return { misused: "--raw shows what only this machine may see, and takes no --url" };
    return (here) => {
      const print = raw || here.json ? plainJson : overviewFor(here);
      const show =
        raw || isHere(values, here.environment)
          ? withSettings((config) => showHere(config, id, raw, print))
          : withRemote(values, (remote) => showThere(remote, id, print), { reads: true });
      return show(here);
    };
  },
};

type Print = (json: string) => string;

const overviewFor =
  ({ terminal, environment }: Here): Print =>
  (json) =>
    overviewOf((JSON.parse(json) as { readonly data: Tender }).data, styleFor(terminal.out, environment));

const isHere = ({ url }: Values, { TENDERHALL_URL, DATA_DIR, DATABASE_URL }: Environment): boolean =>
  url === undefined && !TENDERHALL_URL && (!!DATA_DIR || !!DATABASE_URL || existsSync("data/tenderhall.sqlite"));

const IS_TENDER_ID = /^UA-/i;

async function showHere(config: Config, asked: string, raw: boolean, print: Print): Promise<Operated> {
  const id = IS_TENDER_ID.test(asked) ? await idHere(config, asked) : asked;
  const told = await ask(config, { do: "show", id, raw });
  return told.ok ? said(print(told.text)) : complained(REFUSED, told.problems);
}

/** Goes through all of them: at the machine itself nobody keeps a list of these numbers. */
async function idHere(config: Config, tenderID: string): Promise<string> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, "tenderhall.sqlite"))) return tenderID;
  const { openForReading } = await import("../beside.ts");
  const { store, close } = await openForReading(config);
  try {
    const scan = await store.scan();
    try {
      for await (const { id, document } of scan.tenders())
        if (document.includes(tenderID) && JSON.parse(document).tenderID === tenderID) return id;
    } finally {
      await scan.close();
    }
  } finally {
    await close();
  }
  return tenderID;
}

async function showThere({ client, url }: Remote, asked: string, print: Print): Promise<Operated> {
  const id = IS_TENDER_ID.test(asked) ? (await client.tenders.find(asked))?.data.id : asked;
  const text = id === undefined ? undefined : await client.tenders.text(id, { pretty: true }).catch(noneIfMissing);
  if (text === undefined) throw new Error(`there is no tender ${asked} at ${url}`);
  return said(print(`${text.trimEnd()}\n`));
}

function noneIfMissing(error: unknown): undefined {
  if (!(error instanceof TenderhallError && error.status === 404)) throw error;
}

/** Repairs one tender, beside the running server or without one. */
export const tenderReplace: Command = {
  name: "tender replace",
  takes: "ID",
  summary: "puts the file that tender show --raw printed, and you edited, in the tender's place",
  options: {
    from: { takes: "FILE", means: "the edited file; - reads standard input (needed)" },
    reason: { takes: "TEXT", means: "why, in one line; the ledger keeps it (needed)" },
    force: { means: "whatever the procedure's rules say; never whatever shape" },
  },
  examples: [
    [
      `npx --no-install tenderhall tender replace 0b2e... --from tender.json --reason "ticket 17: the buyer's name was cut off"`,
      "After tender show --raw, and an editor:",
    ],
  ],
  read: (values, [id, ...more]) => {
    const { from, reason, force = false } = values as { from?: string; reason?: string; force?: boolean };
    if (!id || more.length > 0) return { misused: "tender replace takes the ID of one tender" };
    if (!from) return { misused: "--from FILE says what to put in the tender's place" };
    if (!reason?.trim()) return { misused: "--reason TEXT says why, for the ledger" };
    return withSettings(async (config) => {
      const told = await ask(config, { do: "replace", id, reason, force, ...fileOf(from) });
      return told.ok ? said(told.text, { id, told: told.text.trimEnd() }) : complained(REFUSED, told.problems);
    });
  },
};

const MEMBERS = ["revision", "tender"];

/** The file holds what `show --raw` printed: the revision that was seen, and the tender. */
function fileOf(from: string): object {
  const parsed = parseJson(readFileSync(from === "-" ? 0 : from, "utf8").replace(/^\uFEFF/, ""), UNBOUNDED);
  if (!parsed.ok) throw new Error(`${from} is not JSON: ${parsed.why}`);
  const file = parsed.value as { readonly [name: string]: Json };
  const names = typeof file === "object" && file !== null ? Object.keys(file) : [];
  if (names.toSorted().join() !== MEMBERS.join())
    throw new Error(`${from} must hold an object with exactly "revision" and "tender", as tender show --raw prints it`);
  return { revision: file.revision, tender: file.tender };
}
