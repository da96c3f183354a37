import { englishPlural } from "../../formats.ts";
import type { Messages } from "../uk.ts";

/** The texts of the lists of buyers and suppliers. */
export const ORGANIZATIONS_EN: Messages["organizations"] = {
  titles: { buyer: "Buyers", supplier: "Suppliers" },
  titlesWith: {
    buyer: (words) => `${words} – buyers`,
    supplier: (words) => `${words} – suppliers`,
  },
  descriptions: {
    buyer: "All buyers of the registry: search by name or code, numbers of tenders, and links to profiles.",
    supplier:
      "All suppliers of opened bids, awards and contracts: search by name or code, numbers of tenders, and links to profiles.",
  },
  labels: { buyer: "Which buyer are you looking for?", supplier: "Which supplier are you looking for?" },
  hint: "Words of the name, or the national code",
  count: (count, number) => `${number} ${englishPlural(count, { one: "organisation", other: "organisations" })} found`,
  countOver: (number) => `More than ${number} organisations found`,
  order: "Those with the most tenders come first.",
  columns: { name: "Name", key: "Identifier", tenders: "Tenders" },
  none: "Nobody found",
  noneHint: "Check the words, or try a shorter one: three letters of the beginning are enough.",
  showAll: { buyer: "All buyers", supplier: "All suppliers" },
  choices: {
    buyer: (text) => `Buyers for “${text}”`,
    supplier: (text) => `Suppliers for “${text}”`,
  },
  choose: "Choose an organisation to see its tenders that meet your other conditions.",
  chooseMore: (number) => `Show all that were found: ${number}`,
  problems: {
    q: (value) => `q: “${value}” has no letters and no digits, or is too long.`,
    page: (value, max) => `page: “${value}” is not the number of a page. Give a number from 1 to ${max}.`,
    pageBeyond: (value) => `page: there is no page ${value}.`,
    unknown: (parameter) => `${parameter}: there is no such parameter. The parameters are q and page.`,
  },
};
