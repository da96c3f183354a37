import type { QueryResultRow } from "pg";
import type { Position } from "../engine.ts";
import { requireRow } from "../rowMapping.ts";
import type { PostgresConnection, RunQuery, Statement } from "./connection.ts";

const REPLICA_POSITION: Statement = {
  name: "reached",
  text: "select coalesce(max(sequence), 0) as sequence from ledger",
};

/** Reads from the replica together with its position; if that is behind, or the replica fails, reads from the primary. */
export function openReplicaReader(
  replica: PostgresConnection,
  reader: PostgresConnection,
  position: () => Promise<Position>,
): RunQuery {
  return async <Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []) => {
    const { sequence } = await position();
    try {
      // A replica only moves forward, so a statement that runs after its position was read sees at least that position.
      const [[replicaPosition], rows] = await Promise.all([
        replica.runQuery<{ sequence: number }>(REPLICA_POSITION),
        replica.runQuery<Row>(statement, values),
      ]);
      if (requireRow(replicaPosition).sequence >= sequence) return rows;
    } catch {
      // Whatever is wrong with the replica, the primary can serve the read.
    }
    return reader.runQuery<Row>(statement, values);
  };
}
