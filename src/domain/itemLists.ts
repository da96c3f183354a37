import { procedureOf } from "./procedures/index.ts";
import type { Problem } from "./refusals.ts";
import type { Item, Tender } from "./tender.ts";

/** Items that an award or a contract lists: completed and checked like those of its tender. */

export function withItems<Fields extends { readonly items?: readonly Item[] }>(
  fields: Fields,
  tender: Tender,
  newId: () => string,
): Fields {
  const { items } = fields;
  return items ? { ...fields, items: procedureOf(tender).complete({ items }, newId).items } : fields;
}

export function checkItems(items: readonly Item[] | undefined, tender: Tender): readonly Problem[] {
  if (!items?.length) return [];
  return procedureOf(tender)
    .checkTender({ ...tender, items })
    .filter(({ path }) => path[0] === "items");
}
