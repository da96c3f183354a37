import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, describe, it } from "node:test";
import { md5Of, openDocumentServiceClient, storedFiles } from "../support/documentService.ts";
import { DAY, fullTender, type PublishedTender, publish } from "../support/examples.ts";
import { FAULTS, type Fault, openFaultyFileSystem } from "../support/faultyFileSystem.ts";
import { expectStatus, openWorld, type TestResponse } from "../support/world.ts";

/**
 * The n-th write, fsync, rename, mkdir or removal of a file fails, for n = 1, 2, 3, ... until a request needs fewer steps.
 * After a restart the request must have taken effect completely or not at all.
 */

const faulty = openFaultyFileSystem();
const world = await openWorld({}, false, { fileSystem: faulty.fileSystem });
after(world.stop);
const api = world.api("2.5");
const client = openDocumentServiceClient(world);

/** Larger than one chunk, so that there are several writes. */
const newContent = (): string => randomBytes(60_000).toString("hex");

/** The content that was sent, and whether it was acknowledged. */
type UploadResult = { readonly content: string; readonly acknowledged: boolean; readonly status: number };
type Story = (tender: PublishedTender) => Promise<() => Promise<UploadResult>>;

const file = (content: string) => ({ name: "a.txt", content, type: "text/plain" });
const uploadResult = ({ status, text }: TestResponse, content: string): UploadResult => {
  assert.ok(status < 300 || status >= 500, `${status} ${text}`);
  return { content, acknowledged: status < 300, status };
};

const STORIES: { readonly [name: string]: Story } = {
  "a new document":
    async ({ path, token }) =>
    async () => {
      const content = newContent();
      return uploadResult(await api.upload(`${path}/documents`, file(content), { token }), content);
    },
  "a new version of a document": async ({ path, token }) => {
    const made = expectStatus(201, await api.upload(`${path}/documents`, file(newContent()), { token }));
    return async () => {
      const content = newContent();
      const sent = { method: "PUT", token };
      return uploadResult(await api.upload(`${path}/documents/${made.body.data.id}`, file(content), sent), content);
    };
  },
  "a document of what came by the document service":
    async ({ path, token }) =>
    async () => {
      const content = newContent();
      const uploaded = await client.upload(content);
      if (uploaded.status !== 200) return uploadResult(uploaded, content);
      return uploadResult(await api.post(`${path}/documents`, uploaded.body.data, { token }), content);
    },
};

/** Asserts that every listed file is complete. Returns the contents by key. */
async function downloaded({ path }: PublishedTender): Promise<ReadonlyMap<string, string>> {
  const { data } = expectStatus(200, await api.get(`${path}/documents?all=1`)).body;
  const contents = new Map<string, string>();
  for (const { url, hash } of data) {
    const { text } = expectStatus(200, await api.download(url));
    assert.equal(hash, `md5:${md5Of(text)}`);
    contents.set(new URL(url).searchParams.get("download")!, text);
  }
  return contents;
}

type Outcome = UploadResult & {
  readonly tender: PublishedTender;
  readonly before: ReadonlyMap<string, string>;
  readonly failed: string | undefined;
};

describe("when the disk fails at any step,", () => {
  const listed = new Set<string>();

  async function failAtStep(n: number, story: Story, fault: Fault): Promise<Outcome> {
    const tender = await publish(api, fullTender(world.clock.now));
    const send = await story(tender);
    const before = await downloaded(tender);
    faulty.arm(n, fault);
    const sent = await send();
    const failed = faulty.disarm();
    assert.ok(sent.acknowledged || failed, "it was refused though nothing failed");
    // A full disk may have space later, so the client may retry.
    if (!sent.acknowledged) assert.equal(sent.status, fault.code === "ENOSPC" ? 503 : 500, `after a failed ${failed}`);
    return { ...sent, tender, before, failed };
  }

  async function assertAllOrNothing({ tender, before, content, acknowledged, failed }: Outcome): Promise<void> {
    const now = await downloaded(tender);
    for (const [key, text] of before) assert.equal(now.get(key), text, "an earlier document is gone");
    const added = [...now].filter(([key]) => !before.has(key)).map(([, text]) => text);
    if (acknowledged || added.length > 0) assert.deepEqual(added, [content], `after a failed ${failed}`);
    for (const key of now.keys()) listed.add(key);
  }

  for (const [name, story] of Object.entries(STORIES))
    for (const [how, fault] of Object.entries(FAULTS))
      it(`${name} is complete or absent after a step ${how}`, async () => {
        const outcomes: Outcome[] = [];
        do outcomes.push(await failAtStep(outcomes.length + 1, story, fault));
        while (outcomes.at(-1)!.failed);
        assert.ok(outcomes.length > 5, `only ${outcomes.length} steps were taken`);
        await world.restart();
        for (const outcome of outcomes) await assertAllOrNothing(outcome);
      });

  it("a registered upload can be sent again to its URL as soon as the disk works", async () => {
    const content = newContent();
    for (let n = 1, failed: string | undefined = "yet"; failed; n++) {
      const { upload_url } = expectStatus(201, await client.register(`md5:${md5Of(content)}`)).body;
      faulty.arm(n, FAULTS["that is done by half"]!);
      const first = await client.upload(content, upload_url);
      failed = faulty.disarm();
      const again = await client.upload(content, upload_url);
      assert.deepEqual([first.status, again.status], failed ? [503, 200] : [200, 403], `step ${n}, ${failed}`);
    }
  });

  it("only the files of documents remain once no upload can be in progress or pending", async () => {
    // A server keeps young incoming files, because another server with the same folder may be receiving them.
    faulty.age((2 * DAY) / 1000);
    world.clock.forward(2 * DAY);
    await world.restart();
    const files = storedFiles(world).filter((place) => !/^..\/..\/.*\.json$/.test(place));
    assert.deepEqual(files, [...listed].map((key) => `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`).sort());
  });
});
