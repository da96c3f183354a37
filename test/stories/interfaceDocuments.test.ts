import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MINUTE } from "../support/examples.ts";
import { assertNow, HEX, publishIn, VERSIONS } from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse, type Upload } from "../support/world.ts";

const notice: Upload = { name: "Повідомлення.pdf", content: "%PDF-1.4 повідомлення", type: "application/pdf" };
const annex: Upload = { name: "додаток № 1.txt", content: "додаток", type: "text/plain" };
const corrected: Upload = { name: "Повідомлення (виправлене).doc", content: "виправлене", type: "application/msword" };

const titlesIn = ({ body }: TestResponse): string[] => body.data.map(({ title }: { title: string }) => title);

for (const versionNames of VERSIONS) {
  const { version, stamp } = versionNames;

  describe(`documents under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("4.2: an uploaded file is a document with the file's name, type and URL", async () => {
      const { path, token } = await publishIn(world, versionNames);
      world.clock.forward(MINUTE);
      const created = expectStatus(201, await api.upload(`${path}/documents`, notice, { token }));
      const { data } = created.body;
      assert.match(data.id, HEX);
      assert.equal(created.headers.get("location"), `${api.root}${path}/documents/${data.id}`);
      const { title, format, datePublished, dateModified } = data;
      assert.deepEqual([title, format], [notice.name, notice.type]);
      assertNow(world, datePublished, dateModified);
      assert.equal(datePublished, dateModified);
      const url = new URL(data.url);
      assert.equal(`${url.origin}${url.pathname}`, `${api.root}${path}/documents/${data.id}`);
      assert.match(url.searchParams.get("download")!, HEX);
      assert.equal("access" in created.body, false);
      assertNow(world, (await api.get(path)).body.data[stamp]);
    });

    it("4.2: the list is in the order of upload, and public", async () => {
      const { path, token } = await publishIn(world, versionNames);
      assert.deepEqual((await api.get(`${path}/documents`, { key: null })).body, { data: [] });
      const uploaded = [];
      for (const file of [notice, annex]) {
        world.clock.forward(MINUTE);
        uploaded.push((await api.upload(`${path}/documents`, file, { token })).body.data);
      }
      assert.deepEqual(expectStatus(200, await api.get(`${path}/documents`, { key: null })).body.data, uploaded);
    });

    it("4.2: a new version replaces the old one in the list", async () => {
      const { path, token } = await publishIn(world, versionNames);
      const first = (await api.upload(`${path}/documents`, notice, { token })).body.data;
      await api.upload(`${path}/documents`, annex, { token });
      world.clock.forward(MINUTE);
      const put = await api.upload(`${path}/documents/${first.id}`, corrected, { token, method: "PUT" });
      const second = expectStatus(200, put).body.data;
      assert.equal(second.id, first.id);
      assert.equal(second.datePublished, first.datePublished);
      assertNow(world, second.dateModified);
      assert.deepEqual([second.title, second.format], [corrected.name, corrected.type]);
      assert.notEqual(second.url, first.url);
      const list = await api.get(`${path}/documents`, { key: null });
      assert.deepEqual(titlesIn(list), [corrected.name, annex.name]);
      assert.deepEqual(list.body.data[0], second);
    });

    it("4.9: the URL of every version downloads that version", async () => {
      const { path, token } = await publishIn(world, versionNames);
      const first = (await api.upload(`${path}/documents`, notice, { token })).body.data;
      const documentPath = `${path}/documents/${first.id}`;
      const second = (await api.upload(documentPath, corrected, { token, method: "PUT" })).body.data;
      for (const [document, file] of [[first, notice] as const, [second, corrected] as const]) {
        const { headers, text } = expectStatus(200, await api.get(document.url, { key: null }));
        assert.equal(text, file.content);
        assert.equal(headers.get("content-type"), file.type);
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        const name = encodeURIComponent(file.name).replaceAll("(", "%28").replaceAll(")", "%29");
        assert.ok(headers.get("content-disposition")!.toLowerCase().includes(`filename*=utf-8''${name}`.toLowerCase()));
      }
      const wrong = await api.get(`${documentPath}?download=${"0".repeat(32)}`);
      assert.deepEqual(errorsOf(expectStatus(404, wrong)), ["url/download: Not Found"]);
    });

    it("4.9: a document is returned in its latest version, under 2.3 with the previous ones", async () => {
      const { path, token } = await publishIn(world, versionNames);
      const first = (await api.upload(`${path}/documents`, notice, { token })).body.data;
      const documentPath = `${path}/documents/${first.id}`;
      const alone = expectStatus(200, await api.get(documentPath, { key: null })).body.data;
      assert.deepEqual(alone, version === "2.3" ? { ...first, previousVersions: [] } : first);
      world.clock.forward(MINUTE);
      const second = (await api.upload(documentPath, corrected, { token, method: "PUT" })).body.data;
      const { data } = (await api.get(documentPath, { key: null })).body;
      assert.deepEqual(data, version === "2.3" ? { ...second, previousVersions: [first] } : second);
    });

    it("4.8: the file is sent as the one part `file` of a form", async () => {
      const { path, token } = await publishIn(world, versionNames);
      const form = (...names: readonly string[]) => {
        const made = new FormData();
        for (const name of names) made.append(name, new Blob(["text"], { type: "text/plain" }), "a.txt");
        return made;
      };
      const send = (raw: RequestInit["body"], headers = {}) =>
        api.request("POST", `${path}/documents`, { token, raw, headers });
      assert.deepEqual(errorsOf(expectStatus(404, await send(form("upload")))), ["body/file: Not Found"]);
      expectStatus(422, await send(form("file", "file")));
      const typed = await send("text", { "Content-Type": "text/plain" });
      assert.match(errorsOf(expectStatus(415, typed))[0]!, /^header\/Content-Type: .*multipart\/form-data/);
      assert.deepEqual((await api.get(`${path}/documents`)).body, { data: [] });
      expectStatus(201, await send(form("file")));
    });

    it("4.8: the title is the file's name without any path", async () => {
      const { path, token } = await publishIn(world, versionNames);
      const named = { ...annex, name: "C:\\папка\\звіт.txt" };
      const { data } = expectStatus(201, await api.upload(`${path}/documents`, named, { token })).body;
      assert.equal(data.title, "звіт.txt");
    });

    it("5: only the owner uploads documents", async () => {
      const { path, token } = await publishIn(world, versionNames);
      expectStatus(401, await api.upload(`${path}/documents`, notice, { key: null }));
      expectStatus(403, await api.upload(`${path}/documents`, notice));
      expectStatus(403, await api.upload(`${path}/documents`, notice, { key: "broker1", token }));
      const { id } = (await api.upload(`${path}/documents`, notice, { token })).body.data;
      const documentPath = `${path}/documents/${id}`;
      expectStatus(401, await api.upload(documentPath, corrected, { key: null, method: "PUT" }));
      expectStatus(403, await api.upload(documentPath, corrected, { method: "PUT" }));
      assert.deepEqual(titlesIn(await api.get(`${path}/documents`)), [notice.name]);
    });
  });
}
