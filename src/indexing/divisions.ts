import type { Item, Tender } from "../domain/model/tender.ts";

/** A code of CPV, which ДК021 shares: eight digits with or without the check digit. */
const CPV_CODE = /^\d{8}(?:-\d)?$/;

/** The CPV division of an item: the first two digits of its code. Undefined without a code of CPV. */
const divisionOfItem = ({ classification }: Item): string | undefined => {
  const code = classification?.id;
  return code !== undefined && CPV_CODE.test(code) ? code.slice(0, 2) : undefined;
};

/** The CPV division of a tender: that of its first item with a code of CPV. Tenders are counted once, so they have one division. */
export function divisionOf({ items = [] }: Pick<Tender, "items">): string | undefined {
  for (const item of items) {
    const division = divisionOfItem(item);
    if (division !== undefined) return division;
  }
  return undefined;
}
