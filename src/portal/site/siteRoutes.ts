import type { Config } from "../../config/config.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { checkReadiness, type ReadinessPorts } from "../../ops/readiness.ts";
import type { Registry } from "../../registry/registry.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalPage } from "../layout/portalPage.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { opensearchResponse } from "./opensearch.ts";
import { robotsResponse } from "./robots.ts";
import { sitemapFile, sitemapIndex } from "./sitemap.ts";
import { statusPage } from "./statusPage.ts";
import { aboutPage, accessibilityPage, privacyPage, type TextPageContext } from "./textPages.ts";

/** What the pages about the site need. */
export type SitePorts = Pick<ReadinessPorts, "files" | "observability"> & {
  readonly registry: Registry;
  readonly config: Config;
};

/** The pages about the site, and the files that search engines and browsers ask for. */
export const SITE_ROUTES: readonly PortalRoute<SitePorts>[] = [
  { pattern: /^\/about$/, handle: showText(aboutPage) },
  { pattern: /^\/accessibility$/, handle: showText(accessibilityPage) },
  { pattern: /^\/privacy$/, handle: showText(privacyPage) },
  { pattern: /^\/status$/, handle: showStatus },
  { pattern: /^\/robots\.txt$/, handle: (_ports, { site }) => robotsResponse(site) },
  { pattern: /^\/opensearch\.xml$/, handle: (_ports, { site, language }) => opensearchResponse(site, language) },
  { pattern: /^\/sitemap\.xml$/, handle: ({ registry }, { site }) => sitemapIndex(registry, site) },
  {
    pattern: /^\/sitemap-(pages|(?:buyers-|suppliers-)?[1-9]\d{0,4})\.xml$/,
    handle: ({ registry }, { site }, [name = ""]) => sitemapFile(registry, site, name),
  },
];

/** Texts change with the settings only, which need a restart. */
function showText(render: (context: TextPageContext) => PortalPage): PortalRoute<SitePorts>["handle"] {
  return ({ config }, pageRequest) => {
    const { site, language } = pageRequest;
    return pageResponse(render({ config, site, language }), pageRequest, { isFresh: () => true });
  };
}

async function showStatus(ports: SitePorts, pageRequest: PageRequest): Promise<HttpResponse> {
  const { site, language } = pageRequest;
  const { registry, config } = ports;
  const [readiness, lastChangeAt] = await Promise.all([checkReadiness(ports), registry.catchUp().catch(() => 0)]);
  const status = {
    readiness,
    now: await registry.nowFor({}),
    // An empty registry has the position 0.
    lastChangeAt: lastChangeAt > 0 ? lastChangeAt : undefined,
    zoneName: config.zone.name,
  };
  const response = pageResponse(statusPage(status, site, language), pageRequest);
  return { ...response, headers: { ...response.headers, "Cache-Control": "no-store" } };
}
