import { Client, type ClientConfig, DatabaseError, type QueryResultRow, types } from "pg";
import { errorCode, errorMessage } from "../../base/errors.ts";
import { DiskFullError, StoreUnavailableError } from "../store.ts";

/** A statement, which is prepared once on each connection under its name; an empty name does not prepare it. */
export type Statement = { readonly name: string; readonly text: string };

/** Runs a statement and returns its rows. Rejects with `StoreUnavailableError` if the database cannot be reached for the moment. */
export type RunQuery = <Row extends QueryResultRow>(
  statement: Statement,
  values?: readonly unknown[],
) => Promise<Row[]>;

/**
 * A connection that is opened when it is needed, and again after it was lost. While it is down, statements are rejected at once.
 * Statements are pipelined: they are sent without waiting for earlier results.
 */
export type PostgresConnection = {
  readonly runQuery: RunQuery;
  /** Returns a `runQuery` that is bound to the current session: once that is lost, it rejects everything. For transactions. */
  readonly hold: () => Promise<RunQuery>;
  /** Closes the session abruptly, so that the server aborts any transaction on it. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
  /** Whether the connection is open, and how many statements wait for a result. */
  readonly state: () => { readonly isOpen: boolean; readonly pending: number };
};

export type PostgresConnectionSettings = {
  readonly url: string;
  /** Statements that are run first in every new session. */
  readonly setup?: readonly string[];
  /** Whether the server may be a replica; otherwise it must be the primary. */
  readonly mayFollow?: boolean;
  /** How long statements are rejected after a failure before the next attempt to connect. */
  readonly pauseMs?: number;
  /** The timeout of a statement. */
  readonly answerMsMax?: number;
};

const CONNECT_MS_MAX = 5000;
const ANSWER_MS_MAX = 5000;
const PAUSE_AFTER_FAILURE_MS = 100;
const CLOSE_GRACE_MS = 1000;
const INT8 = 20;

/** The types of `pg` do not know `pipeline` yet. */
type PipelinedConfig = ClientConfig & { readonly pipeline: true };

/** Opens a connection lazily: nothing is sent before the first statement. */
export function openConnection(settings: PostgresConnectionSettings): PostgresConnection {
  const {
    url,
    setup = [],
    mayFollow = false,
    answerMsMax = ANSWER_MS_MAX,
    pauseMs = PAUSE_AFTER_FAILURE_MS,
  } = settings;
  let connecting: Promise<Client> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let openClient: Client | undefined;
  let pending = 0;

  async function connect(): Promise<Client> {
    if (performance.now() - failedAt < pauseMs) throw new StoreUnavailableError("the database cannot be reached");
    const config: PipelinedConfig = {
      connectionString: url,
      application_name: "tenderhall",
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: answerMsMax,
      keepAlive: true,
      types: { getTypeParser },
      pipeline: true,
    };
    const client = new Client(config);
    const forget = () => {
      if (openClient === client) openClient = undefined;
      if (connecting === attempt) connecting = undefined;
    };
    const attempt = connecting;
    client.on("error", forget).on("end", forget);
    try {
      await client.connect();
      for (const setupStatement of setup) await client.query(setupStatement);
      if (!mayFollow) await checkIsPrimary(client);
      openClient = client;
      return client;
    } catch (error) {
      failedAt = performance.now();
      client.end().catch(() => {});
      throw error;
    }
  }

  function currentClient(): Promise<Client> {
    if (closed) return Promise.reject(new Error("the store is closed"));
    if (connecting) return connecting;
    const attempt = Promise.resolve().then(connect);
    connecting = attempt;
    attempt.catch(() => {
      if (connecting === attempt) connecting = undefined;
    });
    return attempt;
  }

  const queryOn =
    (find: () => Client | Promise<Client>): RunQuery =>
    async <Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []) => {
      pending += 1;
      try {
        const client = await find();
        // `pg` declares the values as mutable, but only reads them.
        return (await client.query<Row>({ ...statement, values: values as unknown[] })).rows;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) failedAt = isFromStatement(error) ? failedAt : performance.now();
        throw asUnavailable(error);
      } finally {
        pending -= 1;
      }
    };

  return {
    runQuery: queryOn(currentClient),
    async hold() {
      const client = await currentClient().catch((error) => {
        throw asUnavailable(error);
      });
      return queryOn(() => client);
    },
    cut() {
      connecting?.then(destroy).catch(() => {});
      connecting = undefined;
    },
    state: () => ({ isOpen: openClient !== undefined, pending }),
    async close() {
      closed = true;
      await connecting?.then(endClient).catch(() => {});
    },
  };
}

// `pg` has no public way to close the socket without waiting for the server.
const destroy = (client: Client): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

/** Ends the session; destroys the socket if the server does not respond in time. */
async function endClient(client: Client): Promise<void> {
  const timer = setTimeout(() => destroy(client), CLOSE_GRACE_MS);
  await client.end().finally(() => clearTimeout(timer));
}

/** Parses bigint as a number: instants are in microseconds, which a double represents exactly until the year 2255. */
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === INT8 ? Number : types.getTypeParser(oid, format);

/** The SQLSTATE codes of errors that may be temporary: connection, resources, operator intervention, timeouts, deadlocks. */
const TEMPORARY_ERROR_CODES = /^(08|53|57P|58)|^(25006|25P0[234]|55P03|57014|40001|40P01)$/;
const DISK_FULL = "53100";

/** Whether an error with this SQLSTATE may go away by itself. */
export const isTemporaryError = (code: string): boolean => TEMPORARY_ERROR_CODES.test(code);

/** The error as `StoreUnavailableError` if it is temporary or comes from the connection, else the error itself. */
export function asUnavailable(error: unknown): unknown {
  const code = errorCode(error);
  const message = errorMessage(error);
  if (error instanceof StoreUnavailableError || message === "the store is closed") return error;
  if (code === DISK_FULL) return new DiskFullError(message, { cause: error });
  return isFromStatement(error) && !isTemporaryError(code ?? "")
    ? error
    : new StoreUnavailableError(message, { cause: error });
}

const isFromStatement = (error: unknown): boolean => error instanceof DatabaseError && error.severity !== undefined;

/** After a failover, a host name may lead to a replica, which lags behind and rejects writes. */
async function checkIsPrimary(client: Client): Promise<void> {
  const { rows } = await client.query("select pg_is_in_recovery() as follows");
  if (rows[0].follows) throw new StoreUnavailableError("the database at this address is a replica of another one");
}
