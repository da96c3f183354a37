import type { Problem } from "./model/refusals.ts";
import type { Item, Tender } from "./model/tender.ts";
import { procedureOf } from "./procedures/index.ts";

/** Items that an award or a contract lists: completed and checked like those of its tender. */

export function withCompletedItems<Fields extends { readonly items?: readonly Item[] }>(
  fields: Fields,
  tender: Tender,
  newId: () => string,
): Fields {
  const { items } = fields;
  return items ? { ...fields, items: procedureOf(tender).fillDefaults({ items }, newId).items } : fields;
}

export function checkItems(items: readonly Item[] | undefined, tender: Tender): readonly Problem[] {
  if (!items?.length) return [];
  return procedureOf(tender)
    .checkTender({ ...tender, items })
    .filter(({ path }) => path[0] === "items");
}
