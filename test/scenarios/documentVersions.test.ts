import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { fullTender, MINUTE, type PublishedTender, publish } from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse, type Upload } from "../support/world.ts";

/** Downloads, versions and metadata of documents. */

const VERSIONS = ["0", "0.1", "0.2", "2.3"];

describe("a document", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  let tender: PublishedTender;
  before(async () => {
    tender = await publish(api, fullTender());
  });

  const token = () => ({ token: tender.token });
  async function upload(file: Upload) {
    const made = expectStatus(201, await api.upload(`${tender.path}/documents`, file, token()));
    return { ...made.body.data, path: `${tender.path}/documents/${made.body.data.id}` };
  }
  const replace = async (path: string, file: Upload): Promise<TestResponse> =>
    expectStatus(200, await api.upload(path, file, { method: "PUT", ...token() }));

  it("downloads with its name and type, as an attachment without content sniffing", async () => {
    const names: { readonly [title: string]: string } = {
      "name.doc": "attachment; filename=name.doc",
      "two words.doc": "attachment; filename=\"two words.doc\"; filename*=UTF-8''two%20words.doc",
      "укр.doc": "attachment; filename=%D1%83%D0%BA%D1%80.doc; filename*=UTF-8''%D1%83%D0%BA%D1%80.doc",
      "it's (1).txt": "attachment; filename=\"it's (1).txt\"; filename*=UTF-8''it%27s%20%281%29.txt",
    };
    for (const [title, disposition] of Object.entries(names)) {
      const { url } = await upload({ name: title, content: "<b>", type: "text/html" });
      const { headers, text } = expectStatus(200, await api.get(url, { key: null }));
      assert.equal(text, "<b>");
      assert.equal(headers.get("content-type"), "text/html");
      assert.equal(headers.get("content-length"), "3");
      assert.equal(headers.get("content-disposition"), disposition);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
    }
  });

  it("is found by its key under every version, and not by another key", async () => {
    const uploaded = await upload({ name: "a", content: "one" });
    const other = await upload({ name: "b", content: "other" });
    for (const version of VERSIONS) {
      const { url } = expectStatus(200, await world.api(version).get(uploaded.path)).body.data;
      assert.ok(url.startsWith(`${world.url}/api/${version}${uploaded.path}?download=`), url);
      assert.equal((await api.get(url)).text, "one");
    }
    const keyOf = (url: string) => new URL(url).searchParams.get("download");
    for (const key of [
      "0".repeat(32),
      "x",
      keyOf(other.url),
      `${keyOf(uploaded.url)}0`,
      keyOf(uploaded.url)!.slice(1),
      "%00",
    ])
      assert.deepEqual(errorsOf(expectStatus(404, await api.get(`${uploaded.path}?download=${key}`))), [
        "url/download: Not Found",
      ]);
    assert.equal((await api.get(`${uploaded.path}?download=`)).body.data.id, uploaded.id);
  });

  it("supports range requests", async () => {
    const { url } = await upload({ name: "digits.txt", content: "0123456789" });
    const ranges = {
      "bytes=0-3": ["0123", "bytes 0-3/10"],
      "bytes=4-": ["456789", "bytes 4-9/10"],
      "bytes=-3": ["789", "bytes 7-9/10"],
      "bytes=-100": ["0123456789", "bytes 0-9/10"],
      "bytes=8-100": ["89", "bytes 8-9/10"],
      "bytes=9-9": ["9", "bytes 9-9/10"],
    };
    for (const [range, [content, where]] of Object.entries(ranges)) {
      const part = expectStatus(206, await api.get(url, { headers: { Range: range } }));
      assert.equal(part.text, content);
      assert.equal(part.headers.get("content-range"), where);
      assert.equal(part.headers.get("content-length"), String(content!.length));
    }
    for (const range of ["bytes=5-2", "bytes=x-", "chars=0-1", "bytes=-", "bytes=0-1,3-4"])
      assert.equal(expectStatus(200, await api.get(url, { headers: { Range: range } })).text, "0123456789");
    assert.equal((await api.get(url)).headers.get("accept-ranges"), "bytes");
  });

  it("responds to a range beyond its end with the usual error body", async () => {
    const { url } = await upload({ name: "digits.txt", content: "0123456789" });
    for (const range of ["bytes=10-", "bytes=99999999999999999999-", "bytes=-0"]) {
      const refused = expectStatus(416, await api.get(url, { headers: { Range: range } }));
      assert.equal(refused.headers.get("content-range"), "bytes */10");
      assert.equal(refused.headers.get("content-type"), "application/json; charset=UTF-8");
      assert.equal(refused.body.status, "error");
    }
  });

  it("has an ETag, and is a 304 for a client that has it", async () => {
    const { url, path } = await upload({ name: "a.txt", content: "content" });
    const etag = (await api.get(url)).headers.get("etag")!;
    assert.match(etag, /^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const unchanged = expectStatus(304, await api.get(url, { headers: { "If-None-Match": known } }));
      assert.equal(unchanged.text, "");
      assert.equal(unchanged.headers.get("etag"), etag);
    }
    expectStatus(200, await api.get(url, { headers: { "If-None-Match": '"x"' } }));
    expectStatus(206, await api.get(url, { headers: { Range: "bytes=0-1", "If-Range": etag } }));
    expectStatus(200, await api.get(url, { headers: { Range: "bytes=0-1", "If-Range": '"x"' } }));
    const next = (await replace(path, { name: "a.txt", content: "other" })).body.data.url;
    assert.notEqual((await api.get(next)).headers.get("etag"), etag);
  });

  it("responds to HEAD with the headers of its download", async () => {
    const { url } = await upload({ name: "a.txt", content: "content", type: "text/plain" });
    const [head, body] = [await api.request("HEAD", url), await api.get(url)];
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
    for (const name of ["content-type", "content-length", "content-disposition", "etag", "accept-ranges"])
      assert.equal(head.headers.get(name), body.headers.get(name), name);
  });

  it("keeps its id and first date when replaced, and its old versions under their own keys", async () => {
    const first = await upload({ name: "one.txt", content: "one", type: "text/plain" });
    expectStatus(200, await api.patch(first.path, { description: "kept", documentType: "notice" }, token()));
    world.clock.forward(MINUTE);
    const second = (await replace(first.path, { name: "two.pdf", content: "two", type: "application/pdf" })).body.data;
    assert.deepEqual([second.id, second.datePublished], [first.id, first.datePublished]);
    assert.deepEqual([second.title, second.format], ["two.pdf", "application/pdf"]);
    assert.deepEqual([second.description, second.documentType], ["kept", "notice"]);
    assert.ok(second.dateModified > first.dateModified);
    assert.notEqual(second.url, first.url);
    assert.equal((await api.get(first.url)).text, "one");
    assert.equal((await api.get(second.url)).text, "two");
    const { previousVersions, ...latest } = (await api.get(first.path)).body.data;
    assert.deepEqual(latest, second);
    assert.deepEqual(
      previousVersions.map(({ url }: { url: string }) => url),
      [first.url],
    );
    const listed = (await api.get(`${tender.path}/documents`)).body.data;
    assert.deepEqual(
      listed.filter(({ id }: { id: string }) => id === first.id),
      [second],
    );
    const all = (await api.get(`${tender.path}/documents?all=1`)).body.data;
    assert.equal(all.filter(({ id }: { id: string }) => id === first.id).length, 2);
  });

  it("keeps every version when many replace it at once", async () => {
    const { path } = await upload({ name: "0", content: "0" });
    const contents = Array.from({ length: 10 }, (_, i) => `version ${i}`);
    const responses = await Promise.all(contents.map((content) => replace(path, { name: "a", content })));
    for (const [i, { body }] of responses.entries()) assert.equal((await api.get(body.data.url)).text, contents[i]);
    const { previousVersions, url } = (await api.get(path)).body.data;
    assert.equal(new Set([url, ...previousVersions.map((version: { url: string }) => version.url)]).size, 11);
  });

  it("has an empty list of previous versions at first", async () => {
    const { path } = await upload({ name: "a", content: "a" });
    assert.deepEqual((await api.get(path)).body.data.previousVersions, []);
  });

  it("changes its metadata by PATCH, which updates the tender's date and not its own", async () => {
    const { path, dateModified, url, id } = await upload({ name: "a.txt", content: "a" });
    const before = (await api.get(tender.path)).body.data.dateModified;
    world.clock.forward(MINUTE);
    const metadata = {
      title: "Новий.txt",
      title_en: "New.txt",
      description: "d",
      language: "uk",
      documentType: "notice",
    };
    const owned = { id: "x", url: "http://evil/", hash: "md5:0", datePublished: "2000-01-01", author: "me" };
    const patched = expectStatus(200, await api.patch(path, { ...metadata, ...owned }, token())).body.data;
    for (const [name, value] of Object.entries(metadata)) assert.equal(patched[name], value);
    assert.deepEqual([patched.id, patched.url, patched.dateModified], [id, url, dateModified]);
    assert.ok((await api.get(tender.path)).body.data.dateModified > before);
    assert.match((await api.get(url)).headers.get("content-disposition")!, /%D0%9D/);
    const cleared = expectStatus(200, await api.patch(path, { documentType: null }, token())).body.data;
    assert.equal("documentType" in cleared, false);
  });

  it("is not updated by a PATCH that changes nothing", async () => {
    const { path, title } = await upload({ name: "a.txt", content: "a" });
    const before = (await api.get(tender.path)).text;
    world.clock.forward(MINUTE);
    for (const data of [{}, { title }, (await api.get(path)).body.data]) {
      const response = expectStatus(200, await api.patch(path, data, token()));
      assert.equal(response.body.data.title, title);
    }
    assert.equal((await api.get(tender.path)).text, before);
  });

  it("refuses an invalid PATCH and stays unchanged", async () => {
    const { path } = await upload({ name: "a.txt", content: "a" });
    const before = (await api.get(tender.path)).text;
    const wrong = { format: "no type", title: [], documentType: "poem", documentOf: "planet", rogue: 1 };
    const names = expectStatus(422, await api.patch(path, wrong, token())).body.errors;
    assert.deepEqual(names.map(({ name }: { name: string }) => name).sort(), Object.keys(wrong).sort());
    for (const format of ["text/html\r\nX-Evil: 1", "text/plain; a=b", "/", ""])
      expectStatus(422, await api.patch(path, { format }, token()));
    expectStatus(422, await api.patch(path, { documentOf: "item" }, token()));
    expectStatus(422, await api.patch(path, { documentOf: "item", relatedItem: "0".repeat(32) }, token()));
    assert.equal((await api.get(tender.path)).text, before);
  });

  it("can be downloaded even if its name is very long or hostile", async () => {
    const long = await upload({ name: `${"漢".repeat(1000)}.txt`, content: "long" });
    assert.equal(expectStatus(200, await api.get(long.url)).text, "long");
    const { path, url } = await upload({ name: "a.txt", content: "a" });
    for (const title of ["a\r\nX-Evil: 1", '";x="', "\u2028", "a\tb", "\u0007", "%", "я".repeat(30_000)]) {
      expectStatus(200, await api.patch(path, { title }, token()));
      const response = expectStatus(200, await api.get(url));
      assert.equal(response.headers.has("x-evil"), false);
      assert.equal(response.text, "a");
    }
  });
});
