import type { Dialect } from "../dialects/dialects.ts";
import type { Wording } from "../registry/webhooks/following.ts";
import type { Filter } from "../store/store.ts";
import type { Service } from "./exchange.ts";
import { entriesOf, fieldsOf, modesOf, type Writing } from "./feed.ts";
import type { ReadFilter } from "./webhookFields.ts";

/** Until the feed's own filters are there: by status alone, under the names of the newest version. */
export const readFilter: ReadFilter = ({ status, ...others }) => {
  const wrong = Object.keys(others).map((name) => ({ name, description: "Rogue field" }));
  if (wrong.length > 0) return wrong;
  return status === undefined ? {} : { statuses: status.split(",").filter((one) => one !== "") };
};

/** How changes are found and written for webhooks: as the feed finds and writes them. */
export function wordingOf(service: Writing["service"] & Pick<Service, "dialects">): Wording {
  const dialectOf = (version: string): Dialect => service.dialects.get(version)!;
  return {
    queryOf: ({ mode, filter, version }) => {
      const read = filter && readFilter(filter, dialectOf(version));
      if (Array.isArray(read)) throw new Error(`a filter is not understood any more: ${JSON.stringify(read)}`);
      return { modes: modesOf(mode), ...(read && { filter: read as Filter }) };
    },
    entriesOf: (webhook, rows) => {
      const root = `${service.config.publicUrl ?? webhook.origin}/api/${webhook.version}`;
      const writing = { service, dialect: dialectOf(webhook.version), root };
      return entriesOf(writing, rows, { fields: fieldsOf(webhook.optFields) });
    },
  };
}
