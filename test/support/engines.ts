import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import type { Environment } from "../../src/config/config.ts";

/** The engine of this test process. The scenarios run on every engine. */
export const ENGINE: "sqlite" | "postgres" = process.env.TEST_ENGINE === "postgres" ? "postgres" : "sqlite";

/** An empty database for the servers of a test. */
export type TestDatabase = {
  /** The settings of a server on it. */
  readonly environment: Environment;
  /** Queries the database directly; `$1` and so on are the values. */
  readonly query: (
    sql: string,
    ...values: readonly (string | number | null)[]
  ) => Promise<readonly { [name: string]: unknown }[]>;
  readonly drop: () => Promise<void>;
};

/** Opens a database on the engine of this process. */
export const openDatabase = (dataDir: string): Promise<TestDatabase> =>
  ENGINE === "postgres" ? openSchema(process.env.TEST_DATABASE_URL) : Promise.resolve(openSqliteFile(dataDir));

function openSqliteFile(dataDir: string): TestDatabase {
  return {
    environment: {},
    query: async (sql, ...values) => {
      // A server that starts after a kill locks the file while it recovers the write-ahead log.
      const db = new DatabaseSync(join(dataDir, "tenderhall.sqlite"), { timeout: 5000 });
      try {
        return db.prepare(sql.replace(/\$(\d)/g, "?$1")).all(...values);
      } finally {
        db.close();
      }
    },
    drop: async () => {},
  };
}

/** Creates a PostgreSQL schema. That takes milliseconds, so that hundreds of tests share one server. */
export async function openSchema(
  server = process.env.TEST_DATABASE_URL!,
): Promise<TestDatabase & { readonly url: string }> {
  const schema = `t_${randomBytes(8).toString("hex")}`;
  const url = new URL(server);
  url.searchParams.set("options", `-csearch_path=${schema}`);
  const query: TestDatabase["query"] = async (sql, ...values) => {
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      return (await client.query(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  await query(`create schema ${schema}`);
  return {
    url: url.href,
    environment: { DATABASE_URL: url.href },
    query,
    drop: async () => {
      await query(`drop schema ${schema} cascade`);
    },
  };
}
