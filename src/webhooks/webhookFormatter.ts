import type { Config } from "../config/config.ts";
import type { Dialect } from "../dialects/dialects.ts";
import type { Zone } from "../domain/values/time.ts";
import { type EntryPorts, entryFieldNames, isAsListed, parseOptFields, requestedModes } from "../feed/feedEntries.ts";
import { FILTER_NAMES, parseFilter } from "../feed/filters.ts";
import { viewContextAt } from "../http/exchange.ts";
import type { Filter } from "../store/store.ts";
import { publicTender } from "../views/publicTender.ts";
import type { WebhookFormatter } from "./changeFollower.ts";
import type { WebhookFilterReader } from "./webhookFields.ts";

/** The filters of a webhook are those of the feed. */
export const webhookFilterReaderIn =
  (zone: Zone): WebhookFilterReader =>
  (values, dialect) => {
    const unknown = Object.keys(values).filter((name) => !FILTER_NAMES.includes(name));
    if (unknown.length > 0) return unknown.map((name) => ({ name, description: "Rogue field" }));
    const read = parseFilter(new URLSearchParams(values), dialect, zone);
    return "problems" in read ? read.problems : (read.filter ?? {});
  };

type WordingPorts = EntryPorts & {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly config: Pick<Config, "publicUrl">;
};

/** How changes are found and written for webhooks: as the feed finds and writes them. */
export function openWebhookFormatter(ports: WordingPorts): WebhookFormatter {
  const tenderIn = openSnapshotParser();
  const dialectOf = (version: string): Dialect => ports.dialects.get(version)!;
  return {
    queryOf: ({ mode, filter, version }) => {
      const read = filter && webhookFilterReaderIn(ports.config.zone)(filter, dialectOf(version));
      if (Array.isArray(read)) throw new Error(`a filter is not understood any more: ${JSON.stringify(read)}`);
      const parsedFilter = read as Filter | undefined;
      return { modes: requestedModes(mode, parsedFilter), ...(parsedFilter && { filter: parsedFilter }) };
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
        : dialect.write("Tender", { ...row, ...tenderIn(snapshot) }, root, entryFieldNames(dialect, selectedFields));
    },
  };
}

const PARSED_MAX = 4;

/** Those who are told of the same change are told at about the same time, and a long tender takes long to parse. */
function openSnapshotParser(): (snapshot: string) => object {
  const parsed = new Map<string, object>();
  return (snapshot) => {
    const tender = parsed.get(snapshot) ?? (JSON.parse(snapshot) as object);
    if (parsed.size >= PARSED_MAX) parsed.delete(parsed.keys().next().value!);
    parsed.set(snapshot, tender);
    return tender;
  };
}
