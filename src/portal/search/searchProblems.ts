import { hasOwnKey } from "../../base/typeGuards.ts";
import { PROCEDURE_NAMES } from "../../domain/procedures/names.ts";
import {
  LISTED_VALUES_MAX,
  SEARCH_TEXT_LENGTH_MAX,
  type SearchProblem,
  type SearchProblemKind,
  searchPagesMax,
} from "../../indexing/readSearchParameters.ts";
import { REGIONS } from "../../indexing/regions.ts";
import { SEARCH_MODES, SEARCH_PARAMETER_NAMES, SEARCHED_STATUSES } from "../../indexing/searchParameters.ts";
import { SEARCH_SORTS } from "../../indexing/searchQuery.ts";
import { SEARCH_TERMS_MAX } from "../../indexing/words.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";

/** What is allowed instead, for the messages that say so. */
const allowedFor = ({ kind, parameter }: SearchProblem, pageSize: number): string => {
  const allowed: { readonly [name in SearchProblemKind]?: string } = {
    // Forms that have all results at once do not know `page`.
    "unknown parameter": SEARCH_PARAMETER_NAMES.filter((name) => name !== parameter).join(", "),
    "too long": String(SEARCH_TEXT_LENGTH_MAX),
    "too many words": String(SEARCH_TERMS_MAX),
    "too many values": String(LISTED_VALUES_MAX),
    status: SEARCHED_STATUSES.join(", "),
    procedure: PROCEDURE_NAMES.join(", "),
    region: REGIONS.join(", "),
    mode: SEARCH_MODES.join(", "),
    sort: SEARCH_SORTS.join(", "),
    page: String(searchPagesMax(pageSize)),
  };
  return allowed[kind] ?? "";
};

/** What is wrong with a parameter and what is allowed, as a sentence that begins with the parameter. */
export function searchProblemText(
  problem: SearchProblem,
  { language, pageSize }: { readonly language: Language; readonly pageSize: number },
): string {
  const { parameter, kind, value } = problem;
  const { search } = messagesIn(language);
  const name = hasOwnKey(search.parameters, parameter) ? `${search.parameters[parameter]} (${parameter})` : parameter;
  return `${name}: ${search.problems[kind](value, allowedFor(problem, pageSize))}`;
}
