import type { Tender } from "../../domain/model/tender.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";

/** The fields that lists of tenders show, which everybody may see. None of them depends on bids, so tenders are read without them. */
type ListedField =
  | "id"
  | "tenderID"
  | "status"
  | "date"
  | "procedure"
  | "testClock"
  | "dateModified"
  | "title"
  | "title_en"
  | "description"
  | "description_en"
  | "procuringEntity"
  | "value"
  | "tenderPeriod"
  | "items"
  | "lots"
  | "awards"
  | "contracts";

/** A tender in a list, with the time by its clock. */
export type ListedTender = { readonly tender: Pick<Tender, ListedField>; readonly now: Instant };

/** Reads tenders for a list. Whatever is not public by now is left out. */
export async function readListedTenders(
  registry: Pick<Registry, "tender" | "nowFor">,
  ids: readonly string[],
): Promise<readonly ListedTender[]> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const tender = await registry.tender(id, "none");
      return tender && tender.status !== "draft" ? { tender, now: await registry.nowFor(tender) } : [];
    }),
  );
  return found.flat();
}

/** The title of a tender in a language, never empty, and short enough for a list. */
export const listedTitle = (tender: ListedTender["tender"], language: Language): string =>
  shortText(textIn(language, tender, "title") ?? "") || messagesIn(language).search.untitled;

/** The name of a tender's buyer in a language, short enough for a list; empty if there is none. */
export const buyerNameOf = ({ procuringEntity }: ListedTender["tender"], language: Language): string =>
  shortText(textIn(language, procuringEntity, "name") ?? "");
