import type { Problem } from "../model/refusals.ts";
import type { Item, Tender } from "../model/tender.ts";
import type { Procedure, RuleContext } from "../procedures/procedure.ts";

/** Items of an award or a contract, which follow the same rules as those of the tender. */

/** The fields with ids and other defaults filled in for their items. */
export function withCompletedItems<Fields extends { readonly items?: readonly Item[] }>(
  fields: Fields,
  { procedure, newId }: Pick<RuleContext, "procedure" | "newId">,
): Fields {
  const { items } = fields;
  return items ? { ...fields, items: procedure.fillDefaults({ items }, newId).items } : fields;
}

/** The problems of these items, checked as if they were the tender's own. */
export function checkItems(
  items: readonly Item[] | undefined,
  tender: Tender,
  procedure: Procedure,
): readonly Problem[] {
  if (!items?.length) return [];
  return procedure.checkTender({ ...tender, items }).filter(({ path }) => path[0] === "items");
}
