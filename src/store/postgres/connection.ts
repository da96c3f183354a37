import { Client, type QueryResultRow, types } from "pg";
import { DiskFullError, StoreUnavailableError } from "../store.ts";

/** One statement, prepared once on each connection under its name. */
export type Statement = { readonly name: string; readonly text: string };

export type RunQuery = <Row extends QueryResultRow>(
  statement: Statement,
  values?: readonly unknown[],
) => Promise<Row[]>;

/**
 * One connection that is made when it is needed and made again when it was lost. What is asked while there is none is
 * refused at once; statements are sent without waiting for the answers to those before.
 */
export type PostgresConnection = {
  readonly runQuery: RunQuery;
  /** As `ask`, on the connection of this moment alone: once that is lost, everything asked of it is refused. */
  readonly hold: () => Promise<RunQuery>;
  /** Cuts the connection, so that nothing of what was begun on it can go on. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
  /** Whether it is connected, and how many statements wait for an answer. */
  readonly state: () => { readonly isOpen: boolean; readonly pending: number };
};

export type PostgresConnectionSettings = {
  readonly url: string;
  /** Asked on every new connection before anything else. */
  readonly setup?: readonly string[];
  /** A copy will do; otherwise whoever answers must be the one that is written to. */
  readonly mayFollow?: boolean;
  /** How long nobody is asked again after a failure. */
  readonly pauseMs?: number;
  /** Longer than this nobody waits for an answer. */
  readonly answerMsMax?: number;
};

const CONNECT_MS_MAX = 5000;
const ANSWER_MS_MAX = 5000;
const PAUSE_AFTER_FAILURE_MS = 100;
const CLOSE_GRACE_MS = 1000;
const INT8 = 20;

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
      if (openClient === client) openClient = undefined;
      if (connecting === mine) connecting = undefined;
    };
    const mine = connecting;
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
    const mine = Promise.resolve().then(connect);
    connecting = mine;
    mine.catch(() => {
      if (connecting === mine) connecting = undefined;
    });
    return mine;
  }

  const queryOn =
    (find: () => Client | Promise<Client>): RunQuery =>
    async <Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []) => {
      pending += 1;
      try {
        const client = await find();
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

const destroy = (client: Client): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

/** Whoever is gone without a word will not say good-bye either. */
async function endClient(client: Client): Promise<void> {
  const timer = setTimeout(() => destroy(client), CLOSE_GRACE_MS);
  await client.end().finally(() => clearTimeout(timer));
}

/** Instants are in microseconds, which a double holds exactly until the year 2255. */
const getTypeParser = (oid: number, format?: string) =>
  oid === INT8 ? Number : types.getTypeParser(oid, format as "text");

/** The classes of errors by which PostgreSQL says "not now": connection, resources, operator's intervention, timeouts. */
const TEMPORARY_ERROR_CODES = /^(08|53|57P|58)|^(25006|25P0[234]|55P03|57014|40001|40P01)$/;
const DISK_FULL = "53100";

export const isTemporary = (code: string): boolean => TEMPORARY_ERROR_CODES.test(code);

/** What did not come from a statement came from the connection. */
export function asUnavailable(error: unknown): unknown {
  const { code } = error as { readonly code?: string };
  if (error instanceof StoreUnavailableError || (error as Error).message === "the store is closed") return error;
  if (code === DISK_FULL) return new DiskFullError((error as Error).message, { cause: error });
  return isFromStatement(error) && !isTemporary(code ?? "")
    ? error
    : new StoreUnavailableError((error as Error).message, { cause: error });
}

const isFromStatement = (error: unknown): boolean => (error as { readonly severity?: string }).severity !== undefined;

/** After a change of roles an address may lead to a copy, which lags behind and takes no writes. */
async function checkIsPrimary(client: Client): Promise<void> {
  const { rows } = await client.query("select pg_is_in_recovery() as follows");
  if (rows[0].follows) throw new StoreUnavailableError("the database at this address only follows another one");
}
