import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, it } from "node:test";
import { storedFiles } from "../support/documentService.ts";
import { type Example, examplesIn, type OperationExamples } from "../support/operationExamples.ts";
import { type DescribedOperation, operationsOf } from "../support/operations.ts";
import { waitUntil } from "../support/processes.ts";
import { openScene } from "../support/richScene.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Checks general guarantees on an example of every documented operation. */

const world = await sharedWorld({ AUCTIONS: "builtin" });
const api = world.api("2.5");
const operations = ["2.5", "site"].flatMap(operationsOf);
const nameOf = ({ method, path }: DescribedOperation): string => `${method} ${path}`;
const writes = operations.filter(({ method }) => method !== "GET");
const repeatable = writes.filter(({ method }) => method !== "DELETE");
const isJson = ({ types }: DescribedOperation): boolean => types.includes("application/json");
const reads = operations.filter((operation) => operation.method === "GET" && isJson(operation));

let examples: OperationExamples = {};
before(async () => {
  examples = examplesIn(await openScene(world));
  // A reader waits for the releases of the last changes, but not for long.
  await waitUntil(areReleasesMade, () => "releases of all changes");
});

async function areReleasesMade(): Promise<boolean> {
  expectStatus(200, await api.get(`${world.url}/ocds/releases`));
  const [made] = await world.database.query("select value from release_positions");
  const { sequence } = JSON.parse(String(made?.value ?? '{"sequence":-1}'));
  return sequence >= Number((await stored()).ledger);
}

const inTableOrder = (
  operations: readonly DescribedOperation[],
): readonly (DescribedOperation & { readonly example: Example })[] => {
  const order = Object.keys(examples);
  return operations
    .map((operation) => ({ ...operation, example: examples[nameOf(operation)]! }))
    .toSorted((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)));
};

type RequestVariant = {
  readonly query?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly isVariant?: boolean;
};

async function ask(
  method: string,
  { at, key, token, data, file }: Example,
  way: RequestVariant = {},
): Promise<TestResponse> {
  const { query, headers, isVariant } = way;
  const url = `${world.url}${at}${query ? `${at.includes("?") ? "&" : "?"}${query}` : ""}`;
  const which = isVariant ? 1 : 0;
  const sent = { key, token, headers };
  if (file) return api.upload(url, file[which], { ...sent, method });
  return api.request(method, url, { ...sent, ...(data && { body: { data: data[which] } }) });
}

const stored = async () => ({
  ledger: (await world.database.query("select max(sequence) as last from ledger"))[0]?.last,
  entries: (await world.database.query(`select * from ${ENTRIES}`)).map((entry) => JSON.stringify(entry)).toSorted(),
  files: storedFiles(world),
});

async function shown(): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  for (const { method, example } of inTableOrder(reads)) seen.set(example.at, (await ask(method, example)).text);
  return seen;
}

describe("every operation", () => {
  it("has an example, and every example belongs to an operation", () => {
    for (const operation of operations) {
      const example = examples[nameOf(operation)];
      assert.ok(example, `${nameOf(operation)} has no example`);
      const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[\\w.-]+")}$`);
      assert.match(example.at.split("?")[0]!, pattern);
    }
    assert.deepEqual(Object.keys(examples).toSorted(), operations.map(nameOf).toSorted());
  });

  it("that reads JSON has a strong ETag, and responds with 304 to a client that has it", async () => {
    for (const { method, path, status, example } of inTableOrder(reads)) {
      const first = await ask(method, example);
      assert.equal(first.status, status, `${path}: ${first.text}`);
      const etag = first.headers.get("etag") ?? "";
      assert.match(etag, /^"[^"]+"$/, path);
      const again = await ask(method, example, { headers: { "If-None-Match": etag } });
      assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag], path);
    }
  });

  it("that writes supports dry_run, responds as documented, and stores nothing", async () => {
    const seen = await shown();
    const before = await stored();
    for (const { method, path, status, example } of inTableOrder(writes)) {
      const tried = await ask(method, example, { query: "dry_run=1" });
      assert.equal(tried.status, status, `${method} ${path}: ${tried.text}`);
      assert.equal(tried.headers.get("x-dry-run"), "1", `${method} ${path}`);
      assert.deepEqual(await stored(), before, `${method} ${path}`);
    }
    assert.deepEqual(await shown(), seen);
  });

  it("that is a POST, PUT or PATCH runs once per Idempotency-Key, and refuses the key with another body", async () => {
    for (const { method, path, status, example } of inTableOrder(repeatable)) {
      const name = `${method} ${path}`;
      world.clock.forward(1_000_000);
      const headers = { "Idempotency-Key": randomUUID() };
      const first = await ask(method, example, { headers });
      assert.deepEqual([first.status, first.headers.get("idempotency-replayed")], [status, null], name + first.text);
      const { ledger, files } = await stored();
      const again = await ask(method, example, { headers });
      assert.deepEqual([again.status, again.text], [first.status, first.text], name);
      assert.equal(again.headers.get("idempotency-replayed"), "true", name);
      assert.equal(again.headers.get("location"), first.headers.get("location"), name);
      // A request without a body is made different by its query.
      const hasBody = example.data ?? example.file;
      const other = await ask(method, example, {
        headers,
        ...(hasBody ? { isVariant: true } : { query: "opt_pretty=1" }),
      });
      assert.equal(other.status, 422, `${name}: ${other.text}`);
      assert.equal(other.body.errors[0].name, "Idempotency-Key", name);
      const after = await stored();
      assert.deepEqual([after.ledger, after.files], [ledger, files], name);
    }
  });
});
