import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Config } from "../config/config.ts";
import { LongNumber } from "../dialects/json.ts";
import { type OperatorReply, operatorSocketPath } from "../registry/operatorAccess.ts";
import { currentOperator } from "./commandAudit.ts";

/** Asks the server that runs on the folder; where none does, opens the registry and answers itself. */
export async function sendToRegistry(config: Config, command: object): Promise<OperatorReply> {
  const { dataDir } = config;
  const request = { ...command, operator: currentOperator() };
  if (config.databaseUrl) return runOffline(config, request);
  // Opening would make a new registry, where somebody who mistook the folder expects to find one.
  if (!existsSync(join(dataDir, "tenderhall.sqlite")))
    return { ok: false, problems: [`there is no registry in DATA_DIR ${resolve(dataDir)}`] };
  return (await sendToServer(operatorSocketPath(dataDir), request)) ?? (await runOffline(config, request));
}

async function runOffline(config: Config, request: object): Promise<OperatorReply> {
  // Loaded only here, so that the command is quick where a server answers it.
  const { openOfflineOperator: openAside, systemClock } = await import("../app/start.ts");
  const { operate, close } = await openAside(config, systemClock);
  try {
    return await operate(request);
  } finally {
    await close();
  }
}

/** No socket, nobody behind it, or a path too long to have one. */
const NO_SERVER_CODES = ["ENOENT", "ECONNREFUSED", "EINVAL", "ENAMETOOLONG"];

export async function sendToServer(path: string, request: object): Promise<OperatorReply | undefined> {
  const socket = createConnection(path);
  try {
    socket.write(`${serializeRequest(request)}\n`);
    const reply = await text(socket);
    if (reply === "") throw new Error("the server went away without an answer: show the tender to see where it stands");
    return JSON.parse(reply);
  } catch (error) {
    if (NO_SERVER_CODES.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** The platform has it, its types do not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (source: string) => unknown };

/** Numbers that are longer than a double go over as they were written. */
const serializeRequest = (request: object): string =>
  JSON.stringify(request, (_name, value) => (value instanceof LongNumber ? rawJSON(value.source) : value));
