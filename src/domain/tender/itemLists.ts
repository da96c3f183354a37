import type { Problem } from "../model/refusals.ts";
import type { Item, Tender } from "../model/tender.ts";
import { procedureOf } from "../procedures/index.ts";

/** Items of an award or a contract, which follow the same rules as those of the tender. */

/** The fields with ids and other defaults filled in for their items. */
export function withCompletedItems<Fields extends { readonly items?: readonly Item[] }>(
  fields: Fields,
  tender: Tender,
  newId: () => string,
): Fields {
  const { items } = fields;
  return items ? { ...fields, items: procedureOf(tender).fillDefaults({ items }, newId).items } : fields;
}

/** The problems of these items, checked as if they were the tender's own. */
export function checkItems(items: readonly Item[] | undefined, tender: Tender): readonly Problem[] {
  if (!items?.length) return [];
  return procedureOf(tender)
    .checkTender({ ...tender, items })
    .filter(({ path }) => path[0] === "items");
}
