import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { bidOf, DAY, fullTender, type PublishedTender, plainTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { errorsOf, expectStatus, type RequestOptions, sharedWorld, type TestResponse } from "../support/world.ts";

/** Uploads: which are accepted, from whom, and that a refused one stores nothing. */

const part = (disposition: string, content = "a", more = ""): string =>
  `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${content}\r\n`;
const filePart = (name = "a.txt", content = "a", type = "text/plain"): string =>
  part(`form-data; name="file"; filename="${name}"`, content, `Content-Type: ${type}\r\n`);
const END = "--b--\r\n";

describe("an upload", async () => {
  const world = await sharedWorld({ FILE_BYTES_MAX: "1000" });
  const api = world.api("2.3");
  let tender: PublishedTender;
  before(async () => {
    tender = await publish(api, fullTender(world.clock.now));
  });

  const filesKept = (): string[] =>
    readdirSync(join(world.dataDir, "files"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();

  function send(
    form: string | Buffer,
    sent: RequestOptions = {},
    path = `${tender.path}/documents`,
  ): Promise<TestResponse> {
    const headers = { "Content-Type": "multipart/form-data; boundary=b", ...sent.headers };
    const raw = typeof form === "string" ? Buffer.from(form) : form;
    return api.request("POST", path, { token: tender.token, ...sent, headers, raw: Uint8Array.from(raw) });
  }

  /** Asserts a refusal that leaves the files and the tender unchanged. */
  async function assertRefused(expected: string, sending: () => Promise<TestResponse>): Promise<void> {
    const files = filesKept();
    const shown = (await api.get(tender.path)).text;
    const response = await sending();
    const [first] = errorsOf(response);
    assert.ok(`${response.status} ${first}`.startsWith(expected), `${expected} was ${response.status} ${first}`);
    assert.deepEqual(filesKept(), files);
    assert.equal((await api.get(tender.path)).text, shown);
  }

  it("with one part `file` is accepted with the name and type of the part, and returns its location", async () => {
    const response = expectStatus(201, await send(filePart("звіт.pdf", "content", "application/pdf") + END));
    const { id, title, format, url, datePublished, dateModified } = response.body.data;
    assert.deepEqual([title, format], ["звіт.pdf", "application/pdf"]);
    assert.equal(response.headers.get("location"), `${api.root}${tender.path}/documents/${id}`);
    assert.match(url, new RegExp(`^${api.root}${tender.path}/documents/${id}\\?download=[0-9a-f]{32}$`));
    assert.equal(datePublished, dateModified);
    assert.equal(response.body.access, undefined);
  });

  it("without a file, with another part name, or without a file name is refused", async () => {
    const otherName = part('form-data; name="upload"; filename="a.txt"');
    for (const form of [END, part('form-data; name="title"'), otherName, part('form-data; name="file"'), filePart("")])
      await assertRefused("404 body/file: Not Found", () => send(form + END));
  });

  it("with two files is refused, whatever their names", async () => {
    await assertRefused("422 body/file", () => send(filePart("a") + filePart("b") + END));
    const other = part('form-data; name="other"; filename="b"');
    await assertRefused("422 body/file", () => send(filePart("a") + other + END));
    await assertRefused("422 body/file", () => send(other + filePart("a") + END));
  });

  it("without a boundary, truncated, or not a form is 422", async () => {
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; charset=utf-8"])
      await assertRefused("422 body/data", () => send(filePart() + END, { headers: { "Content-Type": type } }));
    const complete = filePart() + END;
    const cut = ["", "oops", "--b", complete.slice(0, 30), complete.slice(0, 90), filePart(), `${filePart()}--b`];
    for (const form of cut) await assertRefused("422 body/data", () => send(form));
    const unclosed = part('form-data; name="file"; filename="a');
    await assertRefused("422 body/data", () => send(unclosed + END));
  });

  it("that is not multipart is 415", async () => {
    for (const type of ["application/json", "text/plain", "multipart/mixed; boundary=b", ""])
      await assertRefused("415 header/Content-Type", () =>
        send(filePart() + END, { headers: { "Content-Type": type } }),
      );
  });

  it("keeps the file name as sent, without its path", async () => {
    const plain = (name: string) => `filename="${name}"`;
    const titles: { readonly [disposition: string]: string } = {
      "filename=name.doc": "name.doc",
      [plain("укр.doc")]: "укр.doc",
      [plain("../../etc/passwd")]: "passwd",
      [plain("C:\\\\dir\\\\file.txt")]: "file.txt",
      [plain("C:\\dir\\file.txt")]: "file.txt",
      [plain('say \\"hi\\".txt')]: 'say "hi".txt',
      [plain("name  name.doc")]: "name name.doc",
      [plain("a;b=c, d.txt")]: "a;b=c, d.txt",
      [plain("&#1091;&#1082;&#1088;.doc")]: "укр.doc",
      [plain("=?utf-8?b?0YPQutGALmRvYw==?=")]: "укр.doc",
      "filename*=utf-8''%D1%83%D0%BA%D1%80.doc": "укр.doc",
      "filename=\"plain.doc\"; filename*=utf-8''%D1%83%D0%BA%D1%80.doc": "укр.doc",
      "filename*=utf-8''..%2F..%2Fup.doc": "up.doc",
      [plain(".hidden")]: ".hidden",
    };
    for (const [disposition, title] of Object.entries(titles)) {
      const response = expectStatus(201, await send(part(`form-data; name="file"; ${disposition}`) + END));
      assert.equal(response.body.data.title, title, disposition);
    }
  });

  it("over the size limit is 413 and stores nothing, with or without Content-Length", async () => {
    expectStatus(201, await send(filePart("fits", "x".repeat(1000)) + END));
    for (const size of [1001, 5000, 60_000, 200_000, 3_000_000])
      await assertRefused("413 body/file", () => send(filePart("big", "x".repeat(size)) + END));
    const chunked = async (): Promise<TestResponse> => {
      const body = ReadableStream.from([filePart("big", "x".repeat(500_000)), END].map((text) => Buffer.from(text)));
      const key = Buffer.from("broker:").toString("base64");
      const type = "multipart/form-data; boundary=b";
      const headers = { Authorization: `Basic ${key}`, "X-Access-Token": tender.token, "Content-Type": type };
      const init = { method: "POST", duplex: "half", headers, body } as RequestInit;
      const response = await fetch(`${api.root}${tender.path}/documents`, init);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    };
    await assertRefused("413 body/file", chunked);
  });

  it("whose connection breaks stores nothing", async () => {
    const files = filesKept();
    const key = Buffer.from("broker:").toString("base64");
    const head = `POST /api/2.3${tender.path}/documents HTTP/1.1\r\nHost: here\r\nAuthorization: Basic ${key}\r\n`;
    const more = `X-Access-Token: ${tender.token}\r\nContent-Type: multipart/form-data; boundary=b\r\n`;
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    socket.write(`${head}${more}Content-Length: 900\r\n\r\n${filePart("a", "x".repeat(500)).slice(0, -2)}`);
    await waitUntil(
      () => filesKept().length > files.length,
      () => "the upload to begin",
    );
    socket.destroy();
    await waitUntil(
      () => filesKept().length === files.length,
      () => "the file to be removed",
    );
    assert.deepEqual(filesKept(), files);
  });

  it("without the key or the permission is refused and stores nothing", async () => {
    const form = filePart() + END;
    await assertRefused("401 header/Authorization", () => send(form, { key: null }));
    await assertRefused("403 url/permission", () => send(form, { token: "" }));
    await assertRefused("403 url/permission", () => send(form, { token: "0".repeat(32) }));
    await assertRefused("403 url/permission", () => send(form, { key: "broker1" }));
    for (const key of ["chronograph", "reviewer", "administrator", "broker05"])
      await assertRefused("403 url/permission", () => send(form, { key, token: "" }));
    await assertRefused("403 body/data: Can't add document in current (active.enquiries) tender status", () =>
      send(form, { key: "auction", token: "" }),
    );
  });

  it("has its owner token in the query, the header or a form field", async () => {
    const form = filePart() + END;
    const path = `${tender.path}/documents`;
    expectStatus(201, await send(form));
    expectStatus(201, await send(form, { token: "" }, `${path}?acc_token=${tender.token}`));
    expectStatus(201, await send(part('form-data; name="acc_token"', tender.token) + form, { token: "" }));
    await assertRefused("403 url/permission", () =>
      send(part('form-data; name="acc_token"', "no") + form, { token: "" }),
    );
  });

  it("is also open to bots and admins, and is replaced only by whoever made it", async () => {
    const file = { name: "a.txt", content: "a" };
    for (const key of ["bot", "token"]) {
      const made = expectStatus(201, await api.upload(`${tender.path}/documents`, file, { key }));
      const path = `${tender.path}/documents/${made.body.data.id}`;
      const author = "403 url/role: Can update document only author";
      const { token } = tender;
      await assertRefused(author, () => api.upload(path, file, { method: "PUT", token }));
      await assertRefused(author, () => api.patch(path, { description: "b" }, { token }));
      expectStatus(200, await api.upload(path, file, { method: "PUT", key }));
    }
  });

  it("depends on the status: plain drafts and tenders past enquiries accept none from their owner", async () => {
    const draft = await publish(api, { ...plainTender(world.clock.now), status: "draft" });
    const late = await publish(api, fullTender(world.clock.now));
    const cancelled = await publish(api, plainTender(world.clock.now));
    expectStatus(200, await api.patch(cancelled.path, { status: "cancelled" }, { token: cancelled.token }));
    world.clock.forward(7 * DAY);
    const cases = [
      [draft, "draft"],
      [late, "tendering"],
      [cancelled, "cancelled"],
    ] as const;
    for (const [{ path, token }, status] of cases)
      await assertRefused(`403 body/data: Can't add document in current (${status}) tender status`, () =>
        send(filePart() + END, { token }, `${path}/documents`),
      );
  });

  it("to a bid is for its owner only, during the tender period, and is hidden from everyone else", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    world.clock.forward(7 * DAY);
    expectStatus(201, await api.post(`${path}/bids`, bidOf(2)));
    const bid = expectStatus(201, await api.post(`${path}/bids`, bidOf(1)));
    const documents = `${path}/bids/${bid.body.data.id}/documents`;
    const own = { token: bid.body.access.token };
    const moved = (await api.get(path)).body.data.dateModified;
    const made = expectStatus(201, await send(filePart("price.txt", "secret") + END, own, documents));
    assert.equal((await api.get(path)).body.data.dateModified, moved);
    for (const outsider of [{}, { token }, { key: "token" }, { key: null }, { key: "broker1", ...own }]) {
      for (const at of [documents, `${documents}/${made.body.data.id}`, made.body.data.url])
        expectStatus(404, await api.get(at, { token: "", ...outsider }));
      if (!("key" in outsider))
        await assertRefused("404 url/bid_id", () => send(filePart() + END, { token: "", ...outsider }, documents));
    }
    assert.equal((await api.get(made.body.data.url, own)).text, "secret");
    world.clock.forward(7 * DAY);
    await assertRefused("403 body/data: Can't add document", () => send(filePart() + END, own, documents));
    expectStatus(404, await api.get(made.body.data.url));
    assert.equal((await api.get(made.body.data.url, own)).text, "secret");
  });

  it("that loses the race with a cancellation stores nothing, and one that wins is stored", async () => {
    const { path, token } = await publish(api, plainTender(world.clock.now));
    const files = filesKept().length;
    const uploads = Array.from({ length: 20 }, (_, i) => send(filePart(`${i}`) + END, { token }, `${path}/documents`));
    const cancelled = api.patch(path, { status: "cancelled" }, { token });
    const later = Array.from({ length: 10 }, () => send(filePart() + END, { token }, `${path}/documents`));
    const responses = await Promise.all([...uploads, ...later]);
    expectStatus(200, await cancelled);
    assert.ok(responses.every(({ status }) => status === 201 || status === 403));
    const taken = responses.filter(({ status }) => status === 201);
    assert.equal((await api.get(`${path}/documents`)).body.data.length, taken.length);
    assert.equal(filesKept().length, files + taken.length);
    for (const { body } of taken) assert.equal((await api.get(body.data.url)).text, "a");
  });
});
