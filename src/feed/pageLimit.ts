import type { ParamProblem } from "./filters.ts";

export type PageLimit = {
  readonly value: number;
  /** What is wrong with the parameter, where `value` is the default because of that. */
  readonly problem?: ParamProblem;
};

/** How many entries a page is to have. An empty value is the same as none; `condition` says what `max` depends on. */
export function pageLimitOf(query: URLSearchParams, defaultLimit: number, max: number, condition = ""): PageLimit {
  const text = query.get("limit");
  if (!text) return { value: defaultLimit };
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return { value: Number(text) };
  return {
    value: defaultLimit,
    problem: { name: "limit", description: `It should be a whole number from 1 to ${max}${condition}.` },
  };
}
