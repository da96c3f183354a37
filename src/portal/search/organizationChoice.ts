import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import { organizationKeyOf, SEARCH_TEXT_LENGTH_MAX } from "../../indexing/readSearchParameters.ts";
import { formatSearchParameters, LIST_NAMES, type SearchParameters } from "../../indexing/searchParameters.ts";
import { searchTermsOf } from "../../indexing/words.ts";
import type { Registry } from "../../registry/registry.ts";
import { userText } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { ORGANIZATION_PATHS } from "../organizations/profilePage.ts";
import { changeParameters, type OrganizationChoice, type SearchView } from "./searchView.ts";

/**
 * The fields for a buyer and a supplier also take words of a name. The page then lists the organisations that have them, as links that
 * filter by their key.
 */

const ROLES = { buyers: "buyer", suppliers: "supplier" } as const satisfies {
  readonly [list in OrganizationChoice["list"]]: OrganizationRole;
};

/** How many organisations of a choice are shown. */
const SHOWN_MAX = 20;

/** The texts in a field, each once. */
function textsIn(query: URLSearchParams, list: OrganizationChoice["list"]): readonly string[] {
  const texts = query.getAll(LIST_NAMES[list]).map((text) => text.trim());
  return [...new Set(texts)].filter((text) => text !== "" && text.length <= SEARCH_TEXT_LENGTH_MAX);
}

/** Finds the organisations for all texts in the fields that are no keys; with `"unknown keys"`, for keys that nobody has. */
export async function readOrganizationChoices(
  registry: Pick<Registry, "organizations" | "organizationName">,
  query: URLSearchParams,
  which: "names" | "unknown keys",
): Promise<readonly OrganizationChoice[]> {
  const isAsked = async (text: string): Promise<boolean> => {
    const [key] = organizationKeyOf(text);
    if (which === "names") return key === undefined;
    return key !== undefined && (await registry.organizationName(key)) === undefined;
  };
  const choices = (["buyers", "suppliers"] as const).flatMap((list) =>
    textsIn(query, list).map(async (text): Promise<readonly OrganizationChoice[]> => {
      const terms = searchTermsOf(text);
      if (terms.length === 0 || !(await isAsked(text))) return [];
      const found = await registry.organizations({ role: ROLES[list], terms, offset: 0, limit: SHOWN_MAX });
      return found.count === 0 ? [] : [{ list, text, found }];
    }),
  );
  return (await Promise.all(choices)).flat();
}

type ChoiceView = Pick<SearchView, "parameters" | "site" | "language">;

/** The choices, one after another; nothing without any. */
export const renderOrganizationChoices = (choices: readonly OrganizationChoice[], view: ChoiceView): Markup =>
  html`${choices.map((choice, i) => renderChoice(choice, `choice-${i + 1}`, choices, view))}`;

function renderChoice(
  choice: OrganizationChoice,
  id: string,
  choices: readonly OrganizationChoice[],
  view: ChoiceView,
): Markup {
  const { list, text, found } = choice;
  const { site, language } = view;
  const { organizations: texts } = messagesIn(language);
  const others = choices.filter((other) => other !== choice);
  const items = found.organizations.map(
    ({ key, name, tenders }) =>
      html`<li><a href="${filterPath(choice, key, others, view)}" rel="nofollow">${userText(shortText(textIn(language, name, "name") ?? key))}</a> <span class="quiet"><bdi>${key}</bdi> · ${texts.columns.tenders}: ${formatNumber(tenders, language)}</span></li>\n`,
  );
  const role = ROLES[list];
  const allPath = `${pagePathOf(site, ORGANIZATION_PATHS[role], language)}?${new URLSearchParams({ q: text })}`;
  const more =
    found.count > found.organizations.length
      ? html`<p><a href="${allPath}">${texts.chooseMore(formatNumber(found.count, language))}</a></p>\n`
      : EMPTY_MARKUP;
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${texts.choices[role](shortText(text))}</h2>
<p>${texts.choose}</p>
<ul class="choices">
${items}</ul>
${more}</section>
`;
}

/** The search with this organisation instead of the text. What else was asked for stays, names in other fields too. */
function filterPath(
  { list, text }: OrganizationChoice,
  key: string,
  others: readonly OrganizationChoice[],
  { parameters, site, language }: ChoiceView,
): string {
  const wrongKeys = new Set([text, ...others.map((other) => other.text)].flatMap(organizationKeyOf));
  const without = (keys: readonly string[]) => keys.filter((known) => !wrongKeys.has(known));
  const kept: SearchParameters = {
    ...parameters,
    buyers: without(parameters.buyers),
    suppliers: without(parameters.suppliers),
  };
  const changed = changeParameters(kept, { [list]: [...new Set([...kept[list], key])].sort() });
  const query = formatSearchParameters(changed);
  for (const other of others) query.append(LIST_NAMES[other.list], other.text);
  return `${pagePathOf(site, "/tenders", language)}?${query}`;
}
