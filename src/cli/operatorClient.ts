import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { systemClock } from "../app/systemClock.ts";
import { errorCode } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { LongNumber } from "../dialects/json.ts";
import { operatorSocketPath } from "../registry/operatorAccess.ts";
import type { OperatorReply } from "../registry/operatorReply.ts";
import { currentOperator } from "./commandAudit.ts";

/** Sends an operator command to the server that runs on DATA_DIR, or runs it on the registry directly if none does. */
export async function sendToRegistry(config: Config, command: object): Promise<OperatorReply> {
  const { dataDir } = config;
  const request = { ...command, operator: currentOperator() };
  if (config.databaseUrl) return runOffline(config, request);
  // Opening the store would create a registry in a folder that was named by mistake.
  if (!existsSync(join(dataDir, "tenderhall.sqlite")))
    return { ok: false, problems: [`there is no registry in DATA_DIR ${resolve(dataDir)}`] };
  return (await sendToServer(operatorSocketPath(dataDir), request)) ?? (await runOffline(config, request));
}

async function runOffline(config: Config, request: object): Promise<OperatorReply> {
  // Loaded only here, so that the command is fast if a server handles it.
  const { openOfflineOperator } = await import("../app/offlineOperator.ts");
  const { operate, close } = await openOfflineOperator(config, systemClock);
  try {
    return await operate(request);
  } finally {
    await close();
  }
}

/** There is no socket, no server listens on it, or the path is too long for one. */
const NO_SERVER_CODES = ["ENOENT", "ECONNREFUSED", "EINVAL", "ENAMETOOLONG"];

/** Sends a command to the operator socket at `path`. Returns undefined if no server listens there. */
export async function sendToServer(path: string, request: object): Promise<OperatorReply | undefined> {
  const socket = createConnection(path);
  try {
    socket.write(`${serializeRequest(request)}\n`);
    const reply = await text(socket);
    if (reply === "")
      throw new Error("the server closed the connection without a response: use tender show to see the current state");
    return JSON.parse(reply);
  } catch (error) {
    if (NO_SERVER_CODES.includes(errorCode(error) ?? "")) return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** Node has it; the types of TypeScript do not yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (source: string) => unknown };

/** Sends numbers with more digits than a double holds unchanged. */
const serializeRequest = (request: object): string =>
  JSON.stringify(request, (_name, value) => (value instanceof LongNumber ? rawJSON(value.source) : value));
