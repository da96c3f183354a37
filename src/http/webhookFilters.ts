import type { Dialect } from "../dialects/dialects.ts";
import type { Zone } from "../domain/time.ts";
import type { Wording } from "../registry/webhooks/following.ts";
import type { Filter } from "../store/store.ts";
import { entriesFor, fieldsOf, isAsListed, modesAsked, type Speaking } from "./entries.ts";
import { FILTER_NAMES, filterOf } from "./filters.ts";
import type { ReadFilter } from "./webhookFields.ts";

/** The filters of a webhook are those of the feed. */
export const readFilterIn =
  (zone: Zone): ReadFilter =>
  (values, dialect) => {
    const unknown = Object.keys(values).filter((name) => !FILTER_NAMES.includes(name));
    if (unknown.length > 0) return unknown.map((name) => ({ name, description: "Rogue field" }));
    const read = filterOf(new URLSearchParams(values), dialect, zone);
    return "wrong" in read ? read.wrong : (read.filter ?? {});
  };

/** How changes are found and written for webhooks: as the feed finds and writes them. */
export function wordingOf(service: Speaking["service"]): Wording {
  const dialectOf = (version: string): Dialect => service.dialects.get(version)!;
  return {
    queryOf: ({ mode, filter, version }) => {
      const read = filter && readFilterIn(service.config.zone)(filter, dialectOf(version));
      if (Array.isArray(read)) throw new Error(`a filter is not understood any more: ${JSON.stringify(read)}`);
      const found = read as Filter | undefined;
      return { modes: modesAsked(mode, found), ...(found && { filter: found }) };
    },
    entriesOf: async (webhook, rows) => {
      const root = `${service.config.publicUrl ?? webhook.origin}/api/${webhook.version}`;
      const tell = entriesFor({ service, dialect: dialectOf(webhook.version), root }, fieldsOf(webhook.optFields));
      const entries = await Promise.all(rows.map(tell));
      return rows.flatMap((row, i) => (isAsListed(entries[i]!, row) ? [{ row, text: entries[i]!.text }] : []));
    },
  };
}
