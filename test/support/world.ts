import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type RunningServer, type StartOptions, start } from "../../src/app/start.ts";
import { systemClock } from "../../src/app/systemClock.ts";
import { type Config, configOf, type Environment } from "../../src/config/config.ts";
import type { Instant } from "../../src/domain/values/time.ts";
import { openLog } from "../../src/ops/log.ts";
import { checkResponse } from "./apiDescription.ts";
import { openDatabase, type TestDatabase } from "./engines.ts";

/** A server on a free port with its own data, and a clock that moves only when a test moves it. */
export type World = {
  readonly url: string;
  readonly dataDir: string;
  readonly config: Config;
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly api: (version: string) => Api;
  readonly logText: () => string;
  readonly restart: () => Promise<void>;
  /** Stops the server and keeps its data. */
  readonly halt: () => Promise<void>;
  /** Stops the server and removes its data. */
  readonly stop: () => Promise<void>;
};

/** A manual clock in microseconds. */
export type TestClock = { now: Instant; readonly forward: (microseconds: number) => void };

/** The time at which every test clock starts. */
export const START: Instant = Date.UTC(2026, 10, 16, 8, 0, 0) * 1000 + 123456;

/** Most stories are about the other parts of a procedure, and plan and hold their auctions themselves, as external services do. */
const OWN_PLANNER = { AUCTIONS: "external" };

/**
 * Starts a server. With `realTime` it uses the clock of the machine. With the manual clock no timers run either: they would
 * change other tenders at the same time, and shift the timestamps of a scenario.
 */
export async function openWorld(
  environment: Environment = {},
  realTime = false,
  parts: Partial<StartOptions> = {},
): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-test-"));
  const database = await openDatabase(dataDir);
  const config = configOf({ PORT: "0", DATA_DIR: dataDir, ...OWN_PLANNER, ...database.environment, ...environment });
  assert.ok("port" in config, `invalid settings: ${config}`);
  const clock: TestClock = {
    now: START,
    forward(microseconds) {
      this.now += microseconds;
    },
  };
  const lines: string[] = [];
  const log = openLog((text) => lines.push(text), { info: true });
  let running = await run(config);

  function run(settings: Config): Promise<RunningServer> {
    return start(settings, { clock: realTime ? systemClock : () => clock.now, runsTimer: realTime, log, ...parts });
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
    logText: () => {
      log.flush();
      return lines.join("");
    },
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

/** A world for all tests of one file, which is stopped after them. */
export async function sharedWorld(environment: Environment = {}): Promise<World> {
  const world = await openWorld(environment);
  after(world.stop);
  return world;
}

/** The options of a request. */
export type RequestOptions = {
  /** The API key; default: `broker`; `null` sends none. */
  readonly key?: string | null;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
};

/** A response; `body` is the parsed JSON. */
export type TestResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access response bodies freely.
  readonly body: any;
};

/** A client of one API version. */
export type Api = {
  readonly root: string;
  readonly get: (path: string, options?: RequestOptions) => Promise<TestResponse>;
  readonly post: (path: string, data: unknown, options?: RequestOptions) => Promise<TestResponse>;
  readonly patch: (path: string, data: unknown, options?: RequestOptions) => Promise<TestResponse>;
  readonly delete: (path: string, options?: RequestOptions) => Promise<TestResponse>;
  /** Downloads the file of a document. API 2.5 redirects to the document service. */
  readonly download: (url: string, options?: RequestOptions) => Promise<TestResponse>;
  readonly upload: (
    path: string,
    file: Upload,
    options?: RequestOptions & { method?: string },
  ) => Promise<TestResponse>;
  readonly request: (
    method: string,
    path: string,
    options?: RequestOptions & { raw?: RequestInit["body"] },
  ) => Promise<TestResponse>;
};

/** A file to upload. */
export type Upload = {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
};

/**
 * As `fetch`. A process that starts many servers one after another gets the port of an earlier one now and then, and `fetch` may still
 * have a connection to that. A read is then sent again, once: a server that resets connections still fails the test.
 */
async function fetchAgainIfReset(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    const isReset = cause instanceof Error && "code" in cause && cause.code === "ECONNRESET";
    if (!isReset || (init.method !== "GET" && init.method !== "HEAD")) throw error;
    return fetch(address, init);
  }
}

/** A client of one API version, which validates every response against the API description. */
export function openApi(url: () => string, version: string): Api {
  const request: Api["request"] = async (method, path, options = {}) => {
    const { key = "broker", token, headers = {}, body, raw } = options;
    const response = await fetchAgainIfReset(path.startsWith("http") ? path : `${url()}/api/${version}${path}`, {
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
    const testResponse = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    checkResponse(version, method, new URL(response.url), testResponse);
    return testResponse;
  };
  return {
    get root() {
      return `${url()}/api/${version}`;
    },
    request,
    get: (path, options) => request("GET", path, options),
    post: (path, data, options) => request("POST", path, { body: { data }, ...options }),
    patch: (path, data, options) => request("PATCH", path, { body: { data }, ...options }),
    delete: (path, options) => request("DELETE", path, options),
    download: async (address, options) => {
      const testResponse = await request("GET", address, options);
      if (testResponse.status !== 302) return testResponse;
      // The signed URL needs neither a key nor a token.
      return request("GET", testResponse.headers.get("location")!, { ...options, key: null, token: undefined });
    },
    upload: (path, { name, content, type }, { method = "POST", ...options } = {}) => {
      const form = new FormData();
      form.append("file", new Blob([content], type ? { type } : {}), name);
      return request(method, path, { ...options, raw: form });
    },
  };
}

/** Asserts the status and returns the response. */
export function expectStatus(status: number, response: TestResponse): TestResponse {
  assert.equal(response.status, status, response.text);
  return response;
}

/** An error without its rule and what depends on it, which `checkResponse` checks. */
export function withoutRule(entry: { readonly [part: string]: unknown }): object {
  const { rule, docs, allowedFrom, allowedUntil, ...rest } = entry;
  return rest;
}

/** The errors of a response as `location/name: description`. */
export const errorsOf = ({ body }: TestResponse): string[] =>
  body.errors.map(
    ({ location, name, description }: { [part: string]: string }) => `${location}/${name}: ${description}`,
  );
