import { Client, type QueryResultRow, types } from "pg";
import { Unavailable } from "./store.ts";

/** One statement, prepared once on each connection under its name. */
export type Statement = { readonly name: string; readonly text: string };

/**
 * One connection that is made when it is needed and made again when it was lost. What is asked while there is none is
 * refused at once; statements are sent without waiting for the answers to those before.
 */
export type Link = {
  readonly ask: <Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]) => Promise<Row[]>;
  /** Cuts the connection, so that nothing of what was begun on it can go on. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

export type LinkSettings = {
  readonly url: string;
  /** Asked on every new connection before anything else. */
  readonly greeting?: readonly string[];
  /** Longer than this nobody waits for an answer. */
  readonly answerMsMax?: number;
};

const CONNECT_MS_MAX = 5000;
const ANSWER_MS_MAX = 30_000;
const PAUSE_AFTER_FAILURE_MS = 100;
const INT8 = 20;

export function openLink({ url, greeting = [], answerMsMax = ANSWER_MS_MAX }: LinkSettings): Link {
  let connecting: Promise<Client> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  async function connect(): Promise<Client> {
    if (performance.now() - failedAt < PAUSE_AFTER_FAILURE_MS) throw new Unavailable("the database cannot be reached");
    const client = new Client({
      connectionString: url,
      application_name: "tenderhall",
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: answerMsMax,
      keepAlive: true,
      types: { getTypeParser },
      pipeline: true,
    } as ConstructorParameters<typeof Client>[0]);
    const forget = () => {
      if (connecting === mine) connecting = undefined;
    };
    const mine = connecting;
    client.on("error", forget).on("end", forget);
    try {
      await client.connect();
      for (const words of greeting) await client.query(words);
      return client;
    } catch (error) {
      failedAt = performance.now();
      client.end().catch(() => {});
      throw error;
    }
  }

  function connected(): Promise<Client> {
    if (closed) return Promise.reject(new Error("the store is closed"));
    if (connecting) return connecting;
    const mine = Promise.resolve().then(connect);
    connecting = mine;
    mine.catch(() => {
      if (connecting === mine) connecting = undefined;
    });
    return mine;
  }

  return {
    async ask<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []) {
      try {
        const client = await connected();
        return (await client.query<Row>({ ...statement, values: values as unknown[] })).rows;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    cut() {
      connecting
        ?.then((client) =>
          (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
        )
        .catch(() => {});
      connecting = undefined;
    },
    async close() {
      closed = true;
      await connecting?.then((client) => client.end()).catch(() => {});
    },
  };
}

/** Instants are in microseconds, which a double holds exactly until the year 2255. */
const getTypeParser = (oid: number, format?: string) =>
  oid === INT8 ? Number : types.getTypeParser(oid, format as "text");

/** The classes of errors by which PostgreSQL says "not now": connection, resources, operator's intervention, timeouts. */
const NOT_NOW = /^(08|53|57P|58)|^(25006|25P0[234]|55P03|57014|40001|40P01)$/;

/** What did not come from a statement came from the connection. */
export function asUnavailable(error: unknown): unknown {
  const { code, severity } = error as { readonly code?: string; readonly severity?: string };
  if (error instanceof Unavailable || (error as Error).message === "the store is closed") return error;
  const isAnswer = severity !== undefined;
  return isAnswer && !NOT_NOW.test(code ?? "") ? error : new Unavailable((error as Error).message, { cause: error });
}
