import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LANGUAGES } from "../../src/portal/layout/languages.ts";
import { PORTAL_ROUTES } from "../../src/portal/portalRoutes.ts";
import { STATISTICS_TABLES } from "../../src/portal/statistics/statisticsTables.ts";
import { reachFirstTurn } from "../support/liveAuctions.ts";
import { loadPage } from "../support/portalPages.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// Every address of the portal names the parameters that it does not have.

const world = await sharedWorld({ AUCTIONS: "builtin" });

describe("an address of the portal", () => {
  let paths: readonly string[] = [];
  before(async () => {
    const { tender } = await reachFirstTurn(world);
    const { data } = expectStatus(200, await world.api("2.5").get(`/tenders/${tender}`)).body;
    const { scheme, id } = data.procuringEntity.identifier;
    const profile = `/buyers/${scheme}-${id}`;
    paths = [
      ...["/", "/about", "/accessibility", "/privacy", "/status", "/data", "/auctions", "/calendar", "/statistics"],
      ...["/buyers", "/suppliers"],
      ...["/tenders", "/tenders.json", "/tenders.csv", "/tenders.atom", "/tenders.ics", "/tenders.ocds.json"],
      ...["/calendar.ics", `/statistics/${STATISTICS_TABLES[0]}.csv`, profile, `${profile}.json`],
      ...["", ".ics", ".atom", "/qr.svg", "/preview.png", "/changes"].map((form) => `/tenders/${tender}${form}`),
      ...[`/auctions/${tender}`, "/preview.png"],
      ...["/robots.txt", "/opensearch.xml", "/sitemap.xml", "/sitemap-pages.xml"],
    ];
  });

  it("is in this list, whatever route it has", () => {
    const untested = PORTAL_ROUTES.filter(
      ({ method, pattern }) => method !== "POST" && !paths.some((path) => pattern.test(path)),
    );
    assert.deepEqual(untested, []);
  });

  it("names a parameter that it does not have, in every language", async () => {
    for (const language of LANGUAGES)
      for (const path of paths) {
        const address = `/${language}${path === "/" ? "" : path}?nonsense=%3Cb%3E`;
        const { status, type, text } = await loadPage(world, address);
        // The records of a search are refused as the API refuses.
        assert.equal(status, path.endsWith(".ocds.json") ? 422 : 400, address);
        const problems = type.startsWith("text/html") ? /<div class="problems".*?<\/div>/s.exec(text)?.[0] : text;
        assert.match(problems ?? "", /nonsense/, address);
      }
  });

  it("takes no notice of what other sites append to links", async () => {
    for (const path of paths) {
      const { status } = await loadPage(world, `${path}?utm_source=news&fbclid=1`);
      assert.equal(status, 200, path);
    }
  });

  it("that does not exist is refused as the API refuses, if it is data", async () => {
    const { status, text } = await loadPage(world, "/buyers/UA-EDR-0.json");
    assert.equal(status, 404);
    const [error] = JSON.parse(text).errors;
    assert.deepEqual([error.location, error.name, error.rule], ["url", "organization_key", "not-found"]);
  });
});
