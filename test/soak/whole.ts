import assert from "node:assert/strict";
import { operate } from "../../src/cli/operator.ts";
import { ask } from "./asking.ts";
import { type Book, microsOf } from "./book.ts";
import type { House } from "./servers.ts";

/** In the end every server tells of every tender at least what was acknowledged, all the same, and the ledger agrees. */
export async function provesWhole({ urls, environment }: House, { last }: Book): Promise<void> {
  const verified = await operate(["verify"], environment);
  assert.equal(verified.code, 0, verified.out + verified.err);
  for (const [id, at] of last) {
    const told = await Promise.all(urls.map((url) => ask(`${url}/api/2.5/tenders/${id}`)));
    const times = told.map((one) => microsOf(one!.body.data.dateModified));
    assert.ok(
      times.every((time) => time === times[0] && time >= at),
      `${id} was acknowledged at ${at}; the servers say ${times.join(", ")}`,
    );
  }
}
