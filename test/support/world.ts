import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type Config, configOf, type Environment } from "../../src/config.ts";
import type { Instant } from "../../src/domain/time.ts";
import { openLog } from "../../src/http/log.ts";
import { type Parts, type Running, start, systemClock } from "../../src/start.ts";
import { checkAnswer } from "./apiDescription.ts";
import { type Database, openDatabase } from "./engines.ts";

/** A real server on a free port with a folder of its own, whose time stands still until a test moves it. */
export type World = {
  readonly url: string;
  readonly dataDir: string;
  readonly config: Config;
  readonly database: Database;
  readonly clock: TestClock;
  readonly api: (version: string) => Api;
  readonly logged: () => string;
  readonly restart: () => Promise<void>;
  /** Stops the server and leaves its data. */
  readonly halt: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type TestClock = { now: Instant; readonly forward: (microseconds: number) => void };

export const START: Instant = Date.UTC(2026, 10, 16, 8, 0, 0) * 1000 + 123456;

/**
 * `ticking`: the clock of the machine instead of one that stands still. While it stands still, no timer wakes up either: it
 * would date changes of other tenders at the same moment, and those of a story a little after it.
 */
export async function openWorld(
  environment: Environment = {},
  ticking = false,
  parts: Partial<Parts> = {},
): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-test-"));
  const database = await openDatabase(dataDir);
  const config = configOf({ PORT: "0", DATA_DIR: dataDir, ...database.environment, ...environment });
  assert.ok("port" in config, `the settings are wrong: ${config}`);
  const clock: TestClock = {
    now: START,
    forward(microseconds) {
      this.now += microseconds;
    },
  };
  const lines: string[] = [];
  let running = await run(config);

  function run(settings: Config): Promise<Running> {
    const log = openLog((text) => lines.push(text), { info: true });
    return start(settings, { clock: ticking ? systemClock : () => clock.now, wakes: ticking, log, ...parts });
  }

  return {
    get url() {
      return running.url;
    },
    dataDir,
    config,
    database,
    clock,
    api: (version) => openApi(() => running.url, version),
    logged: () => lines.join(""),
    restart: async () => {
      await running.stop();
      running = await run(config);
    },
    halt: () => running.stop(),
    stop: async () => {
      await running.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A world for all tests of one file; it ends with them. */
export async function oneWorld(environment: Environment = {}): Promise<World> {
  const world = await openWorld(environment);
  after(world.stop);
  return world;
}

export type Sent = {
  /** The API key; `null` sends none. */
  readonly key?: string | null;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
};

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a server answered is looked into freely.
  readonly body: any;
};

export type Api = {
  readonly root: string;
  readonly get: (path: string, sent?: Sent) => Promise<Answered>;
  readonly post: (path: string, data: unknown, sent?: Sent) => Promise<Answered>;
  readonly patch: (path: string, data: unknown, sent?: Sent) => Promise<Answered>;
  readonly delete: (path: string, sent?: Sent) => Promise<Answered>;
  /** The file at the address of a document: 2.5 sends its readers on to the document service. */
  readonly download: (url: string, sent?: Sent) => Promise<Answered>;
  readonly upload: (path: string, file: Upload, sent?: Sent & { method?: string }) => Promise<Answered>;
  readonly request: (method: string, path: string, sent?: Sent & { raw?: RequestInit["body"] }) => Promise<Answered>;
};

export type Upload = {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
};

/** Speaks one version as `broker` does, and holds every answer to that version's description. */
export function openApi(url: () => string, version: string): Api {
  const request: Api["request"] = async (method, path, sent = {}) => {
    const { key = "broker", token, headers = {}, body, raw } = sent;
    const response = await fetch(path.startsWith("http") ? path : `${url()}/api/${version}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(key !== null && { Authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` }),
        ...(token && { "X-Access-Token": token }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
    const answered = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    checkAnswer(version, method, new URL(response.url), answered);
    return answered;
  };
  return {
    get root() {
      return `${url()}/api/${version}`;
    },
    request,
    get: (path, sent) => request("GET", path, sent),
    post: (path, data, sent) => request("POST", path, { body: { data }, ...sent }),
    patch: (path, data, sent) => request("PATCH", path, { body: { data }, ...sent }),
    delete: (path, sent) => request("DELETE", path, sent),
    download: async (address, sent) => {
      const answered = await request("GET", address, sent);
      if (answered.status !== 302) return answered;
      // Whoever has the signed address needs neither a key nor a token.
      return request("GET", answered.headers.get("location")!, { ...sent, key: null, token: undefined });
    },
    upload: (path, { name, content, type }, { method = "POST", ...sent } = {}) => {
      const form = new FormData();
      form.append("file", new Blob([content], type ? { type } : {}), name);
      return request(method, path, { ...sent, raw: form });
    },
  };
}

/** Asserts the status and hands the answer on, so that a story reads on one line. */
export function expectStatus(status: number, answered: Answered): Answered {
  assert.equal(answered.status, status, answered.text);
  return answered;
}

/** An error without its rule and all that follows from it, which `checkAnswer` holds to the list of rules. */
export function plain(entry: { readonly [part: string]: unknown }): object {
  const { rule, docs, allowedFrom, allowedUntil, ...rest } = entry;
  return rest;
}

/** The errors of a refusal as `location/name: description`. */
export const errorsOf = ({ body }: Answered): string[] =>
  body.errors.map(
    ({ location, name, description }: { [part: string]: string }) => `${location}/${name}: ${description}`,
  );
