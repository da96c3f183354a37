import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Config } from "../config.ts";
import { LongNumber } from "../dialects/json.ts";
import { controlPath, type Told } from "../registry/control.ts";
import { thisOperator } from "./recording.ts";

/** Asks the server that runs on the folder; where none does, opens the registry and answers itself. */
export async function ask(config: Config, question: object): Promise<Told> {
  const { dataDir } = config;
  const asked = { ...question, operator: thisOperator() };
  if (config.databaseUrl) return askAside(config, asked);
  // Opening would make a new registry, where somebody who mistook the folder expects to find one.
  if (!existsSync(join(dataDir, "tenderhall.sqlite")))
    return { ok: false, problems: [`there is no registry in DATA_DIR ${resolve(dataDir)}`] };
  return (await askServer(controlPath(dataDir), asked)) ?? (await askAside(config, asked));
}

async function askAside(config: Config, asked: object): Promise<Told> {
  // Loaded only here, so that the command is quick where a server answers it.
  const { openAside, systemClock } = await import("../start.ts");
  const { operate, close } = await openAside(config, systemClock);
  try {
    return await operate(asked);
  } finally {
    await close();
  }
}

/** No socket, nobody behind it, or a path too long to have one. */
const NOBODY = ["ENOENT", "ECONNREFUSED", "EINVAL", "ENAMETOOLONG"];

export async function askServer(path: string, asked: object): Promise<Told | undefined> {
  const socket = createConnection(path);
  try {
    socket.write(`${lineOf(asked)}\n`);
    const answered = await text(socket);
    if (answered === "")
      throw new Error("the server went away without an answer: show the tender to see where it stands");
    return JSON.parse(answered);
  } catch (error) {
    if (NOBODY.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** The platform has it, its types do not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (source: string) => unknown };

/** Numbers that are longer than a double go over as they were written. */
const lineOf = (asked: object): string =>
  JSON.stringify(asked, (_name, value) => (value instanceof LongNumber ? rawJSON(value.source) : value));
