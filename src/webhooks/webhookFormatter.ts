import { parseOwnJson } from "../base/ownJson.ts";
import type { Config } from "../config/config.ts";
import type { Dialect } from "../dialects/dialects.ts";
import type { Zone } from "../domain/values/time.ts";
import { type EntryPorts, entryFieldNames, isAsListed, parseOptFields, requestedModes } from "../feed/feedEntries.ts";
import { FILTER_NAMES, parseFilter } from "../feed/filters.ts";
import { viewContextAt } from "../http/exchange.ts";
import { publicTender } from "../views/publicTender.ts";
import type { WebhookFormatter } from "./changeFollower.ts";
import type { WebhookFilterReader } from "./webhookFields.ts";

/** Reads the filter of a webhook, which has the parameters of the feed's filters. */
export const webhookFilterReaderIn =
  (zone: Zone): WebhookFilterReader =>
  (values, dialect) => {
    const unknown = Object.keys(values).filter((name) => !FILTER_NAMES.includes(name));
    if (unknown.length > 0) return { problems: unknown.map((name) => ({ name, description: "Rogue field" })) };
    const parsed = parseFilter(new URLSearchParams(values), dialect, zone);
    return "problems" in parsed ? parsed : { filter: parsed.filter ?? {} };
  };

type FormatterPorts = EntryPorts & {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly config: Pick<Config, "publicUrl">;
};

/** Finds and renders changes for webhooks in the same way as the feed. */
export function openWebhookFormatter(ports: FormatterPorts): WebhookFormatter {
  const parseSnapshot = openSnapshotParser();
  const readFilter = webhookFilterReaderIn(ports.config.zone);
  function dialectOf(version: string): Dialect {
    const dialect = ports.dialects.get(version);
    if (!dialect) throw new Error(`a webhook has a version that no longer exists: ${version}`);
    return dialect;
  }
  return {
    queryOf: ({ mode, filter: values, version }) => {
      const read = values ? readFilter(values, dialectOf(version)) : { filter: undefined };
      if ("problems" in read)
        throw new Error(`the filter of a webhook is no longer valid: ${JSON.stringify(read.problems)}`);
      const { filter } = read;
      return { modes: requestedModes(mode, filter), ...(filter && { filter }) };
    },
    snapshotOf: async (row) => {
      const tender = await ports.registry.tender(row.id);
      if (!tender) return "{}";
      if (!isAsListed(tender, row)) return undefined;
      return JSON.stringify(publicTender(tender, viewContextAt(ports, await ports.registry.nowFor(tender))));
    },
    entryOf: (webhook, row, fields, snapshot) => {
      const dialect = dialectOf(webhook.version);
      const root = `${ports.config.publicUrl ?? webhook.origin}/api/${webhook.version}`;
      const selectedFields = parseOptFields(fields);
      return snapshot === undefined || selectedFields.length === 0
        ? dialect.write("Entry", row, root)
        : dialect.write(
            "Tender",
            { ...row, ...parseSnapshot(snapshot) },
            root,
            entryFieldNames(dialect, selectedFields),
          );
    },
  };
}

const PARSED_MAX = 4;

/** Caches the last parsed snapshots: webhooks get the same change at about the same time, and a large tender takes long to parse. */
function openSnapshotParser(): (snapshot: string) => object {
  const parsed = new Map<string, object>();
  return (snapshot) => {
    const tender = parsed.get(snapshot) ?? parseOwnJson<object>(snapshot);
    const [oldest] = parsed.keys();
    if (parsed.size >= PARSED_MAX && oldest !== undefined) parsed.delete(oldest);
    parsed.set(snapshot, tender);
    return tender;
  };
}
