import type { ParamProblem } from "./filters.ts";

export type PageLimit = {
  readonly value: number;
  /** Set if the parameter is invalid; then `value` is the default. */
  readonly problem?: ParamProblem;
};

/** The parameter `limit`. An empty value counts as absent. `condition` is added to the error text to explain `max`. */
export function pageLimitOf(query: URLSearchParams, defaultLimit: number, max: number, condition = ""): PageLimit {
  const text = query.get("limit");
  if (!text) return { value: defaultLimit };
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return { value: Number(text) };
  return {
    value: defaultLimit,
    problem: { name: "limit", description: `Value must be an integer from 1 to ${max}${condition}.` },
  };
}
