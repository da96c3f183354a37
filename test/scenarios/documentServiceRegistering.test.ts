import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  fileKeyOf,
  md5Of,
  openDocumentServiceClient,
  signedQuery,
  storedFiles,
  type UploadedFile,
  withQuery,
} from "../support/documentService.ts";
import { bidOf, cook, DAY, fullTender, MINUTE, type PublishedTender, publish } from "../support/examples.ts";
import {
  type Bidder,
  bidsOf,
  reachAwarded,
  reachEnquiries,
  reachQualification,
  type TenderStory,
} from "../support/procedure.ts";
import { errorsOf, expectStatus, type RequestOptions, sharedWorld, type TestResponse } from "../support/world.ts";

/** Files of the document service become documents when their signed URL is sent as JSON. */

const NOT_FROM_SERVICE = "403 body/url: Can add document only from document service.";

for (const version of ["2.3", "2.5"])
  describe(`a document registered with JSON under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);
    const client = openDocumentServiceClient(world);
    const required = version === "2.5" ? '["This field is required."]' : "This field is required.";
    let tender: PublishedTender;
    before(async () => {
      tender = await publish(api, fullTender(world.clock.now));
    });

    const register = (
      data: object,
      sent: RequestOptions = {},
      path = `${tender.path}/documents`,
    ): Promise<TestResponse> => api.post(path, data, { token: tender.token, ...sent });
    const put = (path: string, data: object): Promise<TestResponse> =>
      api.request("PUT", path, { token: tender.token, body: { data } });

    /** Asserts a refusal that leaves the files and the tender unchanged. */
    async function assertRefused(
      expected: readonly string[] | string,
      asking: () => Promise<TestResponse>,
    ): Promise<void> {
      const files = storedFiles(world);
      const shown = (await api.get(tender.path)).text;
      const response = await asking();
      const errors = response.body.errors.map(
        ({ location, name, description }: { [part: string]: unknown }) =>
          `${response.status} ${location}/${name}: ${typeof description === "string" ? description : JSON.stringify(description)}`,
      );
      assert.deepEqual(errors, typeof expected === "string" ? [expected] : expected);
      assert.deepEqual(storedFiles(world), files);
      assert.equal((await api.get(tender.path)).text, shown);
    }

    it("has the fields that were sent, and downloads from the tender's own URL", async () => {
      const hash = `md5:${md5Of("зміст")}`;
      const { upload_url } = expectStatus(201, await client.register(hash)).body;
      const { data } = expectStatus(200, await client.upload("зміст", upload_url)).body;
      const metadata = { title: "Інша назва.pdf", format: "application/pdf", documentType: "notice", language: "uk" };
      const response = expectStatus(201, await register({ ...data, ...metadata, id: "ignored", author: "ignored" }));
      const { id, url, ...shown } = response.body.data;
      assert.equal(response.headers.get("location"), `${api.root}${tender.path}/documents/${id}`);
      assert.equal(url, `${api.root}${tender.path}/documents/${id}?download=${fileKeyOf(data.url)}`);
      const { datePublished, dateModified, ...rest } = shown;
      assert.equal(datePublished, dateModified);
      assert.deepEqual(rest, { ...metadata, hash, documentOf: "tender", author: "tender_owner" });
      const { text, headers } = expectStatus(200, await api.download(url, { key: null }));
      assert.deepEqual([text, headers.get("content-type")], ["зміст", "application/pdf"]);
      assert.ok(storedFiles(world).every((name) => !name.startsWith("uploads/")));
    });

    it("accepts its token in the body, as any JSON request does", async () => {
      const body = { data: await client.uploadFile("a"), access: { token: tender.token } };
      expectStatus(201, await api.request("POST", `${tender.path}/documents`, { body }));
    });

    it("gets a new version by PUT, which keeps omitted fields", async () => {
      const first = await client.uploadFile("first");
      const { id, datePublished } = expectStatus(
        201,
        await register({ ...first, description: "Опис", title_en: "Title", documentType: "notice" }),
      ).body.data;
      world.clock.forward(MINUTE);
      const path = `${tender.path}/documents/${id}`;
      const second = await client.uploadFile("second", "second.txt");
      const { data } = expectStatus(200, await put(path, { ...second, title_en: "New" })).body;
      assert.deepEqual(
        [data.id, data.datePublished, data.title, data.title_en, data.description, data.documentType, data.hash],
        [id, datePublished, "second.txt", "New", "Опис", "notice", second.hash],
      );
      assert.notEqual(data.dateModified, datePublished);
      const [before] = (await api.get(path)).body.data.previousVersions;
      assert.equal((await api.download(before.url)).text, "first");
      assert.equal((await api.download(data.url)).text, "second");
      expectStatus(200, await api.upload(path, { name: "third.txt", content: "third" }, { ...tender, method: "PUT" }));
    });

    it("can reuse its upload within its tender, even concurrently, but not in another tender", async () => {
      const sent = await client.uploadFile("again");
      const { id } = expectStatus(201, await register(sent)).body.data;
      expectStatus(200, await put(`${tender.path}/documents/${id}`, { ...sent, title: "b" }));
      const other = await publish(api, fullTender(world.clock.now));
      await assertRefused(NOT_FROM_SERVICE, () => register(sent, { token: other.token }, `${other.path}/documents`));
      const fresh = await client.uploadFile("fresh");
      const requests = [tender, other].flatMap(({ path, token }) =>
        Array.from({ length: 5 }, () => register(fresh, { token }, `${path}/documents`)),
      );
      const responses = await Promise.all(requests);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(5).fill(201), ...Array(5).fill(403)]);
    });

    it("is validated first of all", async () => {
      const { url, hash } = await client.uploadFile("a");
      const missing = ["title", "format", "url"].map((name) => `422 body/${name}: ${required}`);
      await assertRefused(missing, () => register({}));
      await assertRefused(`422 body/format: ${required}`, () => register({ url, hash, title: "a" }));
      const expected = (text: string) => (version === "2.5" ? JSON.stringify([text]) : text);
      const registerWith = (more: object) => () => register({ url, hash, title: "a", format: "text/plain", ...more });
      const pattern = "String value did not match validation regex.";
      await assertRefused(`422 body/format: ${expected(pattern)}`, registerWith({ format: "text" }));
      await assertRefused(`422 body/hash: ${expected("Hash type is not supported.")}`, registerWith({ hash: "a" }));
      await assertRefused(`422 body/hash: ${expected("Hash value is wrong length.")}`, registerWith({ hash: "md5:0" }));
      const nonHex = registerWith({ hash: `md5:${"x".repeat(32)}` });
      await assertRefused(`422 body/hash: ${expected("Hash value is not hexadecimal.")}`, nonHex);
      await assertRefused(`422 body/relatedItem: ${required}`, registerWith({ documentOf: "item" }));
      await assertRefused("422 body/rogue: Rogue field", registerWith({ rogue: 1 }));
      await assertRefused(`422 body/url: ${expected("Couldn't interpret '{}' as string.")}`, registerWith({ url: {} }));
    });

    it("needs the key, the permission and the status that an upload needs", async () => {
      const sent = await client.uploadFile("a");
      await assertRefused("401 header/Authorization: A known API key is needed", () => register(sent, { key: null }));
      await assertRefused("403 url/permission: Forbidden", () => register(sent, { token: "" }));
      await assertRefused("403 url/permission: Forbidden", () => register({}, { token: "" }));
      await assertRefused("403 url/permission: Forbidden", () => register(sent, { key: "broker1" }));
      const cancelled = await publish(api, fullTender(world.clock.now));
      const { token } = cancelled;
      expectStatus(200, await api.patch(cancelled.path, { status: "cancelled" }, { token }));
      const late = "403 body/data: Can't add document in current (cancelled) tender status";
      const foreign = { ...sent, url: "http://other/" };
      await assertRefused(late, () => register(foreign, { token }, `${cancelled.path}/documents`));
      const made = expectStatus(
        201,
        await api.upload(`${tender.path}/documents`, { name: "a", content: "a" }, { key: "bot" }),
      );
      const author = "403 url/role: Can update document only author";
      await assertRefused(author, () => put(`${tender.path}/documents/${made.body.data.id}`, sent));
      expectStatus(201, await register(sent));
    });

    it("must come from this document service", async () => {
      const sent = await client.uploadFile("a");
      const { url } = sent;
      const foreign = [
        "",
        "/get/x",
        url.replace(world.url, "http://other.example"),
        url.replace(world.url, `${world.url}.example`),
        url.replace("/get/", "/upload/"),
        url.replace("/get/", "/get/more/"),
        url.replace(fileKeyOf(url), ""),
        url.slice(0, url.indexOf("?")),
        withQuery(url, (query) => query.delete("KeyID")),
        withQuery(url, (query) => query.delete("Signature")),
        withQuery(url, (query) => query.append("Expires", "1")),
        withQuery(url, (query) => query.append("KeyID", "1")),
        `${api.root}${tender.path}/documents/${"0".repeat(32)}?download=${fileKeyOf(url)}`,
      ];
      for (const url of foreign)
        await assertRefused(NOT_FROM_SERVICE, () => register({ ...sent, url: url, hash: null }));
    });

    it("is checked for its hash, its key and its signature, in this order", async () => {
      const sent = await client.uploadFile("a");
      const changed = (change: (query: URLSearchParams) => void, more: object = {}) =>
        register({ ...sent, url: withQuery(sent.url, change), ...more });
      const unknownKey = (query: URLSearchParams) => query.set("KeyID", "00000000");
      const notBase64 = (query: URLSearchParams) => query.set("Signature", "*");
      const wrong = (query: URLSearchParams) => query.set("Signature", Buffer.alloc(64).toString("base64"));
      const noHash = "422 body/hash: This field is required.";
      await assertRefused(noHash, () => changed(unknownKey, { hash: null }));
      const unknownAndNotBase64 = (query: URLSearchParams) => {
        unknownKey(query);
        notBase64(query);
      };
      await assertRefused("422 body/url: Document url expired.", () => changed(unknownAndNotBase64));
      await assertRefused("422 body/url: Document url signature invalid.", () => changed(notBase64));
      const invalid = "422 body/url: Document url invalid.";
      await assertRefused(invalid, () => changed(wrong));
      await assertRefused(invalid, () => register({ ...sent, hash: `md5:${md5Of("b")}` }));
      await assertRefused(invalid, () => register({ ...sent, hash: `sha256:${"0".repeat(64)}` }));
      await assertRefused(invalid, () =>
        register({ ...sent, url: sent.url.replace(fileKeyOf(sent.url), "0".repeat(32)) }),
      );
      const twice = withQuery(sent.url, (q) => q.set("Signature", encodeURIComponent(q.get("Signature")!)));
      expectStatus(201, await register({ ...sent, url: twice }));
    });

    it("needs content that was uploaded within a day", async () => {
      const { data } = expectStatus(201, await client.register(`md5:${md5Of("later")}`)).body;
      const none = "422 body/url: Nothing was uploaded to this document url, or more than a day ago.";
      const about = { title: "a", format: "text/plain" };
      await assertRefused(none, () => register({ ...data, ...about }));
      const old = await client.uploadFile("old");
      world.clock.forward(DAY);
      await assertRefused(none, () => register(old));
    });

    it("is 422 if the body is not JSON, and 415 if a form is sent as JSON", async () => {
      const path = `${tender.path}/documents`;
      const send = (raw: string) => () =>
        api.request("POST", path, { token: tender.token, raw, headers: { "Content-Type": "application/json" } });
      await assertRefused("422 body/data: No JSON object could be decoded", send('{"data":'));
      const type = "415 header/Content-Type: Content-Type header should be one of ['multipart/form-data']";
      await assertRefused(type, send("--b\r\n"));
      const old = world.api("0").request("POST", path, { token: tender.token, body: { data: {} } });
      assert.equal(errorsOf(expectStatus(415, await old))[0], type.slice(4));
    });

    it("stays sealed with its bid, and so does its URL", async () => {
      const { path } = await publish(api, fullTender(world.clock.now));
      world.clock.forward(7 * DAY);
      const bid = expectStatus(201, await api.post(`${path}/bids`, bidOf(1))).body;
      const own = { token: bid.access.token };
      const documents = `${path}/bids/${bid.data.id}/documents`;
      const moved = (await api.get(path)).body.data.dateModified;
      const sent = await client.uploadFile("secret");
      const made = expectStatus(201, await register(sent, own, documents)).body.data;
      const again = await client.uploadFile("secret too");
      const request = { ...own, body: { data: again } };
      expectStatus(200, await api.request("PUT", `${documents}/${made.id}`, request));
      assert.equal((await api.get(path)).body.data.dateModified, moved);
      const hidden = version === "2.5" ? 403 : 404;
      for (const at of [documents, `${documents}/${made.id}`, made.url])
        for (const outsider of [{}, { key: null }, { key: "broker1", ...own }])
          expectStatus(hidden, await api.get(at, outsider));
      for (const outsider of [{ token: "" }, { key: "broker1", ...own }]) {
        const refused = errorsOf(expectStatus(hidden, await register(again, outsider, documents)));
        const lost = `${path}/bids/${"0".repeat(32)}/documents`;
        assert.deepEqual(errorsOf(expectStatus(hidden, await register(again, outsider, lost))), refused);
      }
      // The URL of the registration serves nothing and is never shown.
      expectStatus(403, await client.get(sent.url));
      assert.equal((await api.download(made.url, own)).text, "secret");
      assert.ok(!(await api.get(documents, own)).text.includes("Signature"));
    });

    it("is still available from the document service with a signed URL", async () => {
      const sent = await client.uploadFile("served");
      const { path, token } = await publish(api, fullTender(world.clock.now));
      expectStatus(201, await register(sent, { token }, `${path}/documents`));
      const key = fileKeyOf(sent.url);
      const keyID = new URL(sent.url).searchParams.get("KeyID")!;
      const { text, headers } = expectStatus(
        200,
        await client.get(`/get/${key}?${await signedQuery(world, keyID, key)}`),
      );
      assert.deepEqual([text, headers.get("content-type")], ["served", "text/plain"]);
    });
  });

describe("documents registered with JSON", async () => {
  const world = await sharedWorld();
  const client = openDocumentServiceClient(world);

  async function assertTaken({ api }: TenderStory, path: string, token: string): Promise<void> {
    const first: UploadedFile = await client.uploadFile("first");
    const { data } = expectStatus(201, await api.post(`${path}/documents`, first, { token })).body;
    const body = { data: await client.uploadFile("second") };
    const replaced = expectStatus(200, await api.request("PUT", `${path}/documents/${data.id}`, { token, body }));
    assert.equal((await api.download(replaced.body.data.url, { token })).text, "second");
  }

  it("can belong to awards, to bids whose award is pending, and to claims", async () => {
    const story = await reachQualification(world, bidsOf(1));
    const [award] = (await story.fetchTender()).awards;
    await assertTaken(story, `${story.path}/awards/${award.id}`, story.token);
    const [{ path, token }] = story.bidders as [Bidder];
    await assertTaken(story, path, token);
    const early = await reachEnquiries(world);
    const claim = { title: "t", description: "d", author: cook };
    for (const holder of [`${early.path}/complaints`, `${story.path}/awards/${award.id}/complaints`]) {
      const { data, access } = expectStatus(201, await story.api.post(holder, claim, { token })).body;
      await assertTaken(story, `${holder}/${data.id}`, access.token);
    }
  });

  it("can belong to contracts and cancellations", async () => {
    const story = await reachAwarded(world, bidsOf(1));
    const [contract] = (await story.fetchTender()).contracts;
    await assertTaken(story, `${story.path}/contracts/${contract.id}`, story.token);
    const cancellation = expectStatus(201, await story.asOwner("POST", "/cancellations", { reason: "r" })).body.data;
    await assertTaken(story, `${story.path}/cancellations/${cancellation.id}`, story.token);
  });
});
