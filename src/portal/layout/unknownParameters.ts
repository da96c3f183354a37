import { unknownParameters } from "../../indexing/unknownParameters.ts";
import type { PageProblem } from "./components.ts";
import type { Language } from "./languages.ts";
import { messagesIn } from "./messages/messages.ts";
import type { PortalRoute } from "./portalRoute.ts";
import { shortText } from "./shortText.ts";

/** Options of all JSON responses, which mean nothing for others and are no mistake there. */
const JSON_OPTIONS = ["opt_pretty", "opt_jsonp"];

/** How much of a parameter's name is shown. */
const NAME_LENGTH_MAX = 60;

/** A problem for each parameter of the query that the address does not have. */
export function unknownParameterProblems(
  query: URLSearchParams,
  known: PortalRoute<never>["parameters"] = [],
  language: Language,
): readonly PageProblem[] {
  if (known === "checked by handler") return [];
  const { unknownParameter } = messagesIn(language).layout;
  return unknownParameters(query, [...known, ...JSON_OPTIONS]).map((name) => ({
    message: unknownParameter(shortText(name, NAME_LENGTH_MAX), known),
  }));
}
