import { hash } from "node:crypto";
import type { PublicVersion } from "../../history/publicVersions.ts";
import { renderAtomFeed } from "../feeds/atom.ts";
import { uuidUrn } from "../feeds/uuidUrn.ts";
import { formatNumber } from "../layout/formats.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import { shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import { actText } from "./actText.ts";
import { differencesOf, differencesText } from "./versionDifferences.ts";
import { changesPath, comparisonHref, type VersionListSettings } from "./versionList.ts";

/** The versions of a tender, the newest first, as an Atom feed. `last` is the newest version of the tender. */
export function renderVersionFeed(
  versions: readonly PublicVersion[],
  last: PublicVersion,
  settings: VersionListSettings,
): string {
  const { language, views, site } = settings;
  const { changes: texts } = messagesIn(language);
  const { tender } = last;
  // Addresses in feeds are absolute: `origin` has the base path.
  const absolute = { ...settings, site: { ...site, basePath: "" } };
  const pageAddress = (path: string) => site.origin + pagePathOf(absolute.site, path, language);
  return renderAtomFeed({
    id: versionUrn(`${tender.id} ${language}`),
    title: `${texts.title} ${tender.tenderID}`,
    subtitle: shortLine(textIn(language, tender, "title") ?? "") || undefined,
    language,
    author: shortLine(textIn(language, tender.procuringEntity, "name") ?? "") || site.name,
    selfUrl: pageAddress(`${tenderPath(tender.id)}.atom`),
    pageUrl: pageAddress(changesPath(tender.id)),
    updatedIfEmpty: last.at,
    entries: versions.map((version) => {
      const { number, at, act, before } = version;
      const summary = differencesText(differencesOf(version, views, language), language);
      return {
        id: versionUrn(`${tender.id} ${number}`),
        title: `${actText(version, language)} (${texts.version(formatNumber(number, language))})`,
        url: before
          ? site.origin + comparisonHref(absolute, tender.id, number - 1, number)
          : pageAddress(tenderPath(tender.id)),
        updated: at,
        // A version never changes.
        published: at,
        ...(summary !== "" && { summary }),
        categories: [{ term: act, label: texts.acts[act] }],
      };
    }),
  });
}

/** The same name always gives the same id, wherever the service is reached. */
const versionUrn = (name: string): string => uuidUrn(hash("sha256", `version ${name}`));
