import { PROCEDURE_NAMES } from "../domain/procedures/names.ts";
import {
  LISTED_VALUES_MAX,
  SEARCH_TEXT_LENGTH_MAX,
  type SearchProblem,
  type SearchProblemKind,
  searchPagesMax,
} from "../indexing/readSearchParameters.ts";
import { REGIONS } from "../indexing/regions.ts";
import { SEARCH_MODES, SEARCHED_STATUSES } from "../indexing/searchParameters.ts";
import { SEARCH_SORTS } from "../indexing/searchQuery.ts";
import { SEARCH_TERMS_MAX } from "../indexing/words.ts";
import type { ParamProblem } from "./filters.ts";

const mustBeOneOf = (values: readonly string[]): string => `Value must be one of ${values.join(", ")}.`;

const DESCRIPTIONS: {
  readonly [kind in SearchProblemKind]: (problem: SearchProblem, pageSize: number) => string;
} = {
  "unknown parameter": () => "There is no such parameter.",
  "given twice": () => "The parameter may have one value only.",
  "too long": () => `Value must have at most ${SEARCH_TEXT_LENGTH_MAX} characters.`,
  "no words": () => "Value must contain a letter or a digit.",
  "too many words": () => `At most ${SEARCH_TERMS_MAX} words are allowed.`,
  "too many values": () => `At most ${LISTED_VALUES_MAX} values are allowed.`,
  status: ({ value }) => `No such status: ${value}. Statuses are ${SEARCHED_STATUSES.join(", ")}.`,
  procedure: ({ value }) => `No such procedure: ${value}. Procedures are ${PROCEDURE_NAMES.join(", ")}.`,
  cpv: () => "Value must be a CPV code or its first digits, at least two, such as 33600000-6 or 336.",
  organization: () => "Value must be the scheme and the id of an organisation, such as UA-EDR-00037256.",
  region: ({ value }) => `No such region: ${value}. Regions are ${REGIONS.join(", ")}.`,
  amount: () => "Value must be a number that is not negative, such as 1000 or 0.5.",
  currency: () => "Value must be the three letters of a currency, such as UAH.",
  moment: () => "Value must be a date or time, such as 2026-11-15 or 2026-11-15T10:00:00+02:00.",
  "empty range": () => "The range ends before it begins.",
  mode: () => mustBeOneOf(SEARCH_MODES),
  sort: () => mustBeOneOf(SEARCH_SORTS),
  page: (_, pageSize) => `Value must be an integer from 1 to ${searchPagesMax(pageSize)}.`,
};

/** A problem of a search as an entry of an error response. */
export const searchParamProblem = (problem: SearchProblem, pageSize: number): ParamProblem => ({
  name: problem.parameter,
  description: DESCRIPTIONS[problem.kind](problem, pageSize),
});
