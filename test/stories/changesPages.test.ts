import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, fullTender, publish } from "../support/examples.ts";
import { endTendering, finishAuction, reachTendering } from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// The page with the changes of a tender, as everybody sees it.

const world = await sharedWorld();
const api = world.api("2.5");

async function load(path: string) {
  const response = await fetch(world.url + path, { redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function publishEdited() {
  const { id, path, token, response } = await publish(api, fullTender(world.clock.now));
  for (const title of ["Обіди", "Сніданки"]) expectStatus(200, await api.patch(path, { title }, { token }));
  return { id, page: `/tenders/${id}/changes`, number: response.body.data.tenderID as string, path, token };
}

describe("the page of changes", () => {
  it("lists the versions, the newest first, in the language of the path", async () => {
    const { page, number } = await publishEdited();
    const { status, text, headers } = await load(page);
    assert.equal(status, 200);
    assert.deepEqual(
      Array.from(text.matchAll(/<li id="version-(\d+)">/g), ([, version]) => version),
      ["3", "2", "1"],
    );
    assert.ok(text.includes(number));
    assert.match(text, /Замовник змінив умови закупівлі/);
    assert.equal(headers.get("content-language"), "uk");
    assert.match((await load(`/en${page}`)).text, /The buyer changed the tender/);
  });

  it("compares any two versions", async () => {
    const { page } = await publishEdited();
    const { status, text } = await load(`${page}?from=1&to=3`);
    assert.equal(status, 200);
    assert.ok(text.includes(fullTender().title));
    assert.match(text, /Сніданки/);
    assert.doesNotMatch(text.split("change-group")[1] ?? "", /Обіди/);
  });

  it("leads to the tender as it was in each version", async () => {
    const { id, page } = await publishEdited();
    const links = Array.from((await load(`/en${page}`)).text.matchAll(/href="([^"]*\?at=[^"]*)"/g), ([, href]) => href);
    assert.equal(links.length, 3);
    const pages = await Promise.all(links.map((href) => load(href ?? "")));
    assert.deepEqual(
      pages.map(({ status, text }) => [status, /<h1><bdi lang="">([^<]*)<\/bdi><\/h1>/.exec(text)?.[1]]),
      [
        [200, "Сніданки"],
        [200, "Обіди"],
        [200, fullTender().title],
      ],
    );
    for (const { text } of pages) {
      assert.match(text, /<meta name="robots" content="noindex/);
      assert.match(text, /This is the tender as it was on/);
      assert.match(text, new RegExp(`href="/en/tenders/${id}">The tender now<`));
      assert.doesNotMatch(text, /id="actions"|\.ics"|qr\.svg/);
    }
    const [, second = ""] = links;
    const section = await load(`${second}&show=timeline`);
    assert.equal(section.status, 200);
    assert.ok(section.text.includes(`href="${second}"`), "a section of the past leads to the whole page of the past");
    assert.match((await load(second.replace("/en/", "/"))).text, /Закупівля станом на/);
  });

  it("names a time at which there is no version, and shows the present", async () => {
    const { id } = await publishEdited();
    for (const [at, message] of [
      ["yesterday", /at: “yesterday” is no time/],
      ["", /at: “” is no time/],
      ["%00%F0", /is no time/],
      ["2099-01-01T00:00:00Z", /is in the future/],
      ["2001-01-01T00:00:00Z", /was not published yet/],
      ["2099-01-01T00:00:00Z&at=x", /twice/],
    ] as const) {
      const { status, text } = await load(`/en/tenders/${id}?at=${at}`);
      assert.equal(status, 400, at);
      assert.match(text, message);
      assert.match(text, /id="actions"/);
    }
  });

  it("is found by the number of the tender", async () => {
    const { page, number } = await publishEdited();
    const { status, headers } = await load(`/tenders/${number}/changes?from=1&to=2`);
    assert.deepEqual([status, headers.get("location")], [301, `${page}?from=1&to=2`]);
  });

  it("names a wrong parameter, and shows the list", async () => {
    const { page } = await publishEdited();
    for (const query of ["from=1", "from=2&to=99", "before=0", "x=1", "from=%00&to=%ff"]) {
      const { status, text } = await load(`${page}?${query}`);
      assert.equal(status, 400, query);
      assert.match(text, /class="problems"/);
      assert.match(text, /id="version-3"/);
    }
  });

  it("is a helpful 404 for drafts and for tenders that do not exist", async () => {
    const draft = await publish(api, { ...fullTender(world.clock.now), status: "draft" });
    for (const id of [draft.id, "0".repeat(32), "%F0", "UA-1"]) {
      const { status, text } = await load(`/tenders/${id}/changes`);
      assert.equal(status, 404, id);
      assert.match(text, /type="search"/);
    }
  });

  it("is reused until the tender changes, and shows a change at once", async () => {
    const { page, path, token } = await publishEdited();
    const first = await load(page);
    assert.equal((await load(page)).headers.get("etag"), first.headers.get("etag"));
    expectStatus(200, await api.patch(path, { title: "Вечері" }, { token }));
    assert.match((await load(page)).text, /id="version-4"/);
  });

  it("can be followed as a feed, the newest version first, in the language of the path", async () => {
    const { id, page, number } = await publishEdited();
    const { status, headers, text } = await load(`/en/tenders/${id}.atom`);
    assert.deepEqual([status, headers.get("content-type")], [200, "application/atom+xml; charset=UTF-8"]);
    const entries = text.split("<entry>").slice(1);
    assert.deepEqual(
      entries.map((entry) => /<link rel="alternate"[^>]*href="([^"]+)"/.exec(entry)?.[1]),
      [`/en${page}?from=2&amp;to=3`, `/en${page}?from=1&amp;to=2`, `/en/tenders/${id}`].map((path) => world.url + path),
    );
    assert.match(entries[0] ?? "", /<title>The buyer changed the tender \(version 3\)<\/title>/i);
    assert.match(entries[0] ?? "", /<summary>Changed: Title<\/summary>/);
    const ids = entries.map((entry) => /<id>(urn:uuid:[0-9a-f-]{36})<\/id>/.exec(entry)?.[1]);
    assert.equal(new Set(ids.filter((entryId) => entryId !== undefined)).size, 3);
    assert.match(
      (await load(`/tenders/${id}.atom`)).text,
      /<feed [^>]*xml:lang="uk">.*Замовник змінив умови закупівлі/s,
    );
    const moved = await load(`/tenders/${number}.atom`);
    assert.deepEqual([moved.status, moved.headers.get("location")], [301, `/tenders/${id}.atom`]);
    assert.equal((await load(`/tenders/${"0".repeat(32)}.atom`)).status, 404);
  });

  it("is the same byte for byte with a sealed bid and without", async () => {
    const story = await reachTendering(world, []);
    const page = `${story.path}/changes`;
    const pages = () =>
      Promise.all(
        [page, `/en${page}`, `${page}?from=1&to=2`, `${story.path}.atom`].map(async (url) => (await load(url)).text),
      );
    const before = await pages();
    for (const amount of [400, 300]) expectStatus(201, await api.post(`${story.path}/bids`, bidOf(amount)));
    assert.deepEqual(await pages(), before);
    await endTendering(story);
    expectStatus(200, await finishAuction(story));
    assert.match((await load(page)).text, /Розкрито пропозиції: 2/);
    assert.match((await load(`${story.path}.atom`)).text, /Розкрито пропозиції: 2/);
  });
});
