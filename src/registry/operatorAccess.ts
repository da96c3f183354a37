import { createHash } from "node:crypto";
import { chmodSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { AUCTION_STATUSES } from "../domain/auctions/model.ts";
import type { Problem, Refusal } from "../domain/model/refusals.ts";
import type { Tender } from "../domain/model/tender.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Store, StoredTender } from "../store/store.ts";
import { listForOperator, type OperatorTimeFormat, planForOperator, showForOperator } from "./auctionOperations.ts";
import { recordBackup } from "./lastBackup.ts";
import { errorReply, type OperatorReply, successReply } from "./operatorReply.ts";
import type { Registry, ReplaceRequest } from "./registry.ts";

/**
 * Operator access: showing a stored tender and replacing it. While a server is running, the commands send these requests over a
 * socket in its data folder, one line of JSON in each direction, which only the server's user may open.
 */

/** How tenders are formatted for operators and parsed from their input. */
export type OperatorFormat = OperatorTimeFormat & {
  /** The stored tender with all its fields, as input for a replacement. */
  readonly print: (stored: { readonly tender: Tender; readonly revision: number }) => string;
  /** The public view at that time. */
  readonly show: (tender: Tender, now: Instant) => string;
  readonly read: (input: unknown) => { readonly tender?: Tender; readonly problems: readonly Problem[] };
};

/** Handles the parsed JSON of a request. */
export type OperatorHandler = (request: unknown) => Promise<OperatorReply>;

/** The user who runs a command, as the command states it. It is trusted: only the server's user and root can open the socket. */
export type Operator = { readonly user: string; readonly sudoUser?: string };

export type OperatorHandlerSettings = {
  readonly registry: Pick<Registry, "tender" | "nowFor" | "replace" | "auctions">;
  readonly store: Pick<Store, "find" | "keyValues">;
  readonly format: OperatorFormat;
};

/** Opens the handler of operator requests: "show", "replace", "record backup", and those about auctions. */
export function openOperatorHandler({ registry, store, format }: OperatorHandlerSettings): OperatorHandler {
  const auctionPorts = { registry, format };

  async function show(id: string, raw: boolean): Promise<OperatorReply> {
    if (!raw) {
      const tender = await registry.tender(id);
      return tender
        ? successReply(format.show(tender, await registry.nowFor(tender)))
        : errorReply(`there is no tender ${id}`);
    }
    // A tender whose deadlines fail must still be shown, so that it can be repaired.
    await registry.tender(id).catch(() => undefined);
    const stored = await store.find(id);
    return stored
      ? successReply(format.print({ tender: stored.tender, revision: revisionOf(stored) }))
      : errorReply(`there is no tender ${id}`);
  }

  async function replace(id: string, input: unknown, options: Omit<ReplaceRequest, "tender">): Promise<OperatorReply> {
    const { tender, problems } = format.read(input);
    if (!tender) return errorReply(...problems.map(problemText));
    const decided = await registry.replace(id, { ...options, tender });
    if (!decided.ok) return errorReply(...reasonsOf(decided.refused, id));
    const { changes } = decided.value;
    if (changes.length === 0) return successReply(`Nothing to change: tender ${id} is already in this state.\n`);
    const isUnlisted = !changes.some(({ path }) => path === "/dateModified");
    return successReply(
      `Tender ${id} is replaced and now has revision ${options.revision + 1}:\n` +
        changes.map(({ op, path }) => `  ${op} ${path}\n`).join("") +
        (isUnlisted ? "Only sealed bids changed, so dateModified and the feed did not move.\n" : ""),
    );
  }

  /** The backup command reports the time of a complete backup. */
  async function recordMadeBackup(made: unknown): Promise<OperatorReply> {
    if (!isSafeInteger(made)) return errorReply("made: must be an integer (microseconds)");
    await recordBackup(store, made);
    return successReply("The backup is recorded.\n");
  }

  return async (request) => {
    const properties = isPlainObject(request) ? request : {};
    const { do: action, made, id, raw, tender, revision, reason, force, at, status } = properties;
    if (action === "record backup") return recordMadeBackup(made);
    if (action === "list auctions")
      return listForOperator(
        auctionPorts,
        AUCTION_STATUSES.find((known) => known === status),
      );
    if (typeof id !== "string") return errorReply("id must be a string");
    if (action === "show auction") return showForOperator(auctionPorts, id);
    if (action === "plan auction")
      return planForOperator(auctionPorts, id, { at: optionalText(at), force: force === true });
    if (action === "show") return show(id, raw === true);
    if (action !== "replace") return errorReply("do must be show or replace");
    if (!isSafeInteger(revision)) return errorReply("revision: must be the integer that was shown");
    if (!isReason(reason)) return errorReply(`reason: must be a line of 1 to ${REASON_MAX} characters`);
    return replace(id, tender, { revision, reason: reason.trim(), force: force === true });
  };
}

/** Counts every change of the tender and of its bids, so that a repair is refused if any of them changed after it was shown. */
const revisionOf = ({ revision, bidChanges = 0 }: StoredTender): number => revision + bidChanges;

/** In characters. */
const REASON_MAX = 1000;

const optionalText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value);

const isReason = (reason: unknown): reason is string =>
  typeof reason === "string" &&
  reason.trim() !== "" &&
  reason.length <= REASON_MAX &&
  reason.isWellFormed() &&
  !/[\u0000-\u001f\u007f]/.test(reason);

/** The problem with its path, such as `bids[0].value.amount: must be a number`. */
function problemText({ path, message }: Problem): string {
  const fieldPath = path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join("");
  return `${fieldPath || "tender"}: ${message}`;
}

const FORCE_HINT = "These are rules of the procedure: --force replaces the tender regardless.";

function reasonsOf(refusal: Refusal, id: string): readonly string[] {
  if (refusal.kind === "invalid") return [...refusal.problems.map(problemText), FORCE_HINT];
  if (refusal.kind === "rule") return [refusal.message];
  return [refusal.kind === "not found" ? `there is no tender ${id}` : refusal.kind];
}

/** The path of the socket on which the server of this data folder accepts operator requests; a named pipe on Windows. */
export function operatorSocketPath(dataDir: string): string {
  if (process.platform !== "win32") return join(dataDir, "control.sock");
  const name = createHash("sha256").update(realpathSync(dataDir).toLowerCase()).digest("hex").slice(0, 32);
  return `\\\\.\\pipe\\tenderhall-${name}`;
}

export type OperatorSocketSettings = {
  readonly path: string;
  readonly handle: OperatorHandler;
  /** Parses a line of JSON. */
  readonly parse: (line: string) => unknown;
  /** Called with errors that are bugs or outages, not with refusals. */
  readonly onFailure: (error: unknown) => void;
};

export type OperatorSocket = { readonly close: () => Promise<void> };

const CLOSE_GRACE_MS = 1000;
const LINE_BYTES_MAX = 256 * 1024 * 1024;

/** Opens the operator socket. The caller holds the lock of the data folder, so an existing socket is left over from a crash. */
export async function openOperatorSocket({
  path,
  handle,
  parse,
  onFailure,
}: OperatorSocketSettings): Promise<OperatorSocket> {
  const isFile = process.platform !== "win32";
  const sockets = new Set<Socket>();
  const pendingReplies = new Set<Promise<void>>();

  async function handleLine(socket: Socket, line: string): Promise<void> {
    const reply = await replyTo(line).catch((error: Error) => {
      onFailure(error);
      return errorReply(error.message);
    });
    socket.end(`${JSON.stringify(reply)}\n`);
  }

  async function replyTo(line: string): Promise<OperatorReply> {
    return handle(parse(line));
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    readLine(socket, (line) => {
      const handling = handleLine(socket, line).finally(() => pendingReplies.delete(handling));
      pendingReplies.add(handling);
    });
  });
  if (isFile) rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // `listen` creates the file; the umask keeps other users from opening it before `chmod`.
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
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(pendingReplies);
      for (const socket of sockets) socket.destroySoon();
      // Clients get a moment to read their reply.
      const forceCloseTimer = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), CLOSE_GRACE_MS);
      await closed;
      clearTimeout(forceCloseTimer);
    },
  };
}

function readLine(socket: Socket, onLine: (line: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  socket.on("data", function gather(chunk: Buffer) {
    const end = chunk.indexOf("\n");
    length += chunk.length;
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0 && length <= LINE_BYTES_MAX) return;
    socket.off("data", gather).resume();
    if (end < 0) socket.destroy();
    else onLine(Buffer.concat(chunks).toString());
  });
}
