import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender, publish } from "../support/examples.ts";
import { expectStatus, START, sharedWorld } from "../support/world.ts";

// Addresses of the portal as people type them, and times on its first page.

const world = await sharedWorld();
const load = (path: string, init: RequestInit = {}) => fetch(world.url + path, { redirect: "manual", ...init });

describe("the address of a page with a slash at its end", () => {
  it("leads for good to the address without it, with the same language and query", async () => {
    const { id } = await publish(world.api("2.5"), fullTender(world.clock.now));
    for (const [path, target] of [
      ["/about/", "/about"],
      ["/en/tenders/", "/en/tenders"],
      ["/tenders/?q=%D1%88&sort=value", "/tenders?q=%D1%88&sort=value"],
      ["/uk/calendar/", "/uk/calendar"],
      [`/en/tenders/${id}/`, `/en/tenders/${id}`],
      [`/tenders/${id}/changes/`, `/tenders/${id}/changes`],
    ] as const) {
      const { status, headers } = await load(path);
      assert.deepEqual([status, headers.get("location")], [301, target], path);
      assert.equal((await load(target)).status, 200);
    }
  });

  it("leads nowhere if there is no such page, and for files, programs and other methods", async () => {
    for (const path of ["/nothing/", "/tenders//", "//about/", "/tenders.csv/", "/health/", "/api/2.5/tenders//"])
      assert.notEqual((await load(path)).status, 301, path);
    assert.notEqual((await load("/about/", { method: "POST" })).status, 301);
  });
});

describe("the first page", () => {
  it("says how much time is left by the test clock of a tender, also after the clock was moved", async () => {
    const api = world.api("2.5");
    const clocks = `${world.url}/sandbox/clocks`;
    const now = new Date(START / 1000).toISOString();
    const clock = expectStatus(201, await api.post(clocks, { now })).body.data.id;
    const tender = { ...fullTender(START), title: "За тестовим годинником" };
    expectStatus(201, await api.post("/tenders", tender, { headers: { "X-Test-Clock": clock } }));
    const move = async (step: object) => expectStatus(200, await api.post(`${clocks}/${clock}/advance`, step));
    const timeLeft = async () => {
      const page = await (await load("/en")).text();
      return /За тестовим годинником.*?<span class="quiet">([^<]*)</s.exec(page)?.[1];
    };
    await move({ next: true });
    assert.equal(await timeLeft(), "7 days left");
    await move({ by: "P4DT5H" });
    assert.equal(await timeLeft(), "2 days 19 hours left");
  });
});
