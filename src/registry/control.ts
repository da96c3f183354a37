import { createHash } from "node:crypto";
import { chmodSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { Problem, Refusal } from "../domain/refusals.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import type { Store, Stored } from "../store/store.ts";
import { recordBackup } from "./lastBackup.ts";
import type { Registry, Replacing } from "./registry.ts";

/**
 * What operators may ask at the machine itself: to see a tender as it is kept, and to put another in its place. Beside a
 * running server they ask over a socket in its folder, one line of JSON each way, which only the server's user may open.
 */

/** How tenders are shown to operators, and what they send back is understood. */
export type Words = {
  readonly print: (stored: Stored) => string;
  /** As everyone sees it at that time. */
  readonly show: (tender: Tender, now: Instant) => string;
  readonly read: (sent: unknown) => { readonly tender?: Tender; readonly problems: readonly Problem[] };
};

/** Text for the operator, or everything that stands in the way. */
export type Told =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[] };

export type Operate = (asked: unknown) => Promise<Told>;

/** Who asks at the machine, as the command says it: whoever can open the socket is the server's user or root anyway. */
export type Operator = { readonly user: string; readonly sudoUser?: string };

const told = (text: string): Told => ({ ok: true, text });
const refused = (...problems: readonly string[]): Told => ({ ok: false, problems });

export type OperatingSettings = {
  readonly registry: Pick<Registry, "tender" | "nowFor" | "replace">;
  readonly store: Pick<Store, "find" | "notes">;
  readonly words: Words;
};

export function openOperating({ registry, store, words }: OperatingSettings): Operate {
  async function show(id: string, raw: boolean): Promise<Told> {
    if (!raw) {
      const tender = await registry.tender(id);
      return tender ? told(words.show(tender, await registry.nowFor(tender))) : refused(`there is no tender ${id}`);
    }
    // A tender whose deadlines cannot be carried out is the very one that has to be seen.
    await registry.tender(id).catch(() => undefined);
    const stored = await store.find(id);
    return stored ? told(words.print(stored)) : refused(`there is no tender ${id}`);
  }

  async function replace(id: string, sent: unknown, how: Omit<Replacing, "tender">): Promise<Told> {
    const { tender, problems } = words.read(sent);
    if (!tender) return refused(...problems.map(problemText));
    const decided = await registry.replace(id, { ...how, tender });
    if (!decided.ok) return refused(...reasonsOf(decided.refused, id));
    const { changes } = decided.value;
    if (changes.length === 0) return told(`Nothing to change: tender ${id} is so already.\n`);
    const quiet = !changes.some(({ path }) => path === "/dateModified");
    return told(
      `Tender ${id} is replaced, now in revision ${how.revision + 1}:\n` +
        changes.map(({ op, path }) => `  ${op} ${path}\n`).join("") +
        (quiet ? "Only sealed bids changed, so dateModified and the feed did not move.\n" : ""),
    );
  }

  /** Told by the command that made it, beside this server. */
  async function noted(made: unknown): Promise<Told> {
    if (!Number.isSafeInteger(made)) return refused("made: must be a whole number of microseconds");
    await recordBackup(store, made as number);
    return told("The backup is recorded.\n");
  }

  return async (asked) => {
    const { do: what, made, id, raw, tender, revision, reason, force } = (asked ?? {}) as { [name: string]: unknown };
    if (what === "record backup") return noted(made);
    if (typeof id !== "string") return refused("id must be text");
    if (what === "show") return show(id, raw === true);
    if (what !== "replace") return refused("do must be show or replace");
    if (!Number.isSafeInteger(revision)) return refused("revision: must be the whole number that was shown");
    if (!isReason(reason)) return refused("reason: must be a line of text");
    return replace(id, tender, { revision: revision as number, reason: reason.trim(), force: force === true });
  };
}

const REASON_MAX = 1000;

const isReason = (reason: unknown): reason is string =>
  typeof reason === "string" &&
  reason.trim() !== "" &&
  reason.length <= REASON_MAX &&
  reason.isWellFormed() &&
  !/[\u0000-\u001f\u007f]/.test(reason);

/** As `bids[0].value.amount: must be a number`. */
function problemText({ path, message }: Problem): string {
  const place = path.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");
  return `${place || "tender"}: ${message}`;
}

const FORCE_HINT = "These are rules of the procedure: --force puts the tender there all the same.";

function reasonsOf(refusal: Refusal, id: string): readonly string[] {
  if (refusal.kind === "invalid") return [...refusal.problems.map(problemText), FORCE_HINT];
  if (refusal.kind === "rule") return [refusal.message];
  return [refusal.kind === "not found" ? `there is no tender ${id}` : refusal.kind];
}

/** Where the server of this folder listens to its operators. */
export function controlPath(dataDir: string): string {
  if (process.platform !== "win32") return join(dataDir, "control.sock");
  const name = createHash("sha256").update(realpathSync(dataDir).toLowerCase()).digest("hex").slice(0, 32);
  return `\\\\.\\pipe\\tenderhall-${name}`;
}

export type ControlSettings = {
  readonly path: string;
  readonly operate: Operate;
  /** Reads a line of JSON. */
  readonly parse: (line: string) => unknown;
  readonly onFailure: (error: unknown) => void;
};

export type Control = { readonly close: () => Promise<void> };

const FAREWELL_MS = 1000;
const LINE_MAX = 256 * 1024 * 1024;

/** Whoever opens this holds the lock of the folder, so a socket that is still there is left over from a crash. */
export async function openControl({ path, operate, parse, onFailure }: ControlSettings): Promise<Control> {
  const isFile = process.platform !== "win32";
  const open = new Set<Socket>();
  const underWay = new Set<Promise<void>>();

  async function answer(socket: Socket, line: string): Promise<void> {
    const answered = await answerTo(line).catch((error: Error) => {
      onFailure(error);
      return refused(error.message);
    });
    socket.end(`${JSON.stringify(answered)}\n`);
  }

  async function answerTo(line: string): Promise<Told> {
    return operate(parse(line));
  }

  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
    readLine(socket, (line) => {
      const working = answer(socket, line).finally(() => underWay.delete(working));
      underWay.add(working);
    });
  });
  if (isFile) rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // The file is made while `listen` runs; nobody else may open it even for a moment.
    const mask = isFile ? process.umask(0o177) : 0;
    try {
      server.once("error", reject).listen(path, resolve);
    } finally {
      if (isFile) process.umask(mask);
    }
  });
  server.on("error", onFailure);
  if (isFile) chmodSync(path, 0o600);
  return {
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      await Promise.all(underWay);
      for (const socket of open) socket.destroySoon();
      // Who asked is given a moment to hear the answer, and no more.
      const late = setTimeout(() => open.forEach((socket) => void socket.destroy()), FAREWELL_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

function readLine(socket: Socket, take: (line: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  socket.on("data", function gather(chunk: Buffer) {
    const end = chunk.indexOf("\n");
    length += chunk.length;
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0 && length <= LINE_MAX) return;
    socket.off("data", gather).resume();
    if (end < 0) socket.destroy();
    else take(Buffer.concat(chunks).toString());
  });
}
