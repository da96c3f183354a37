import assert from "node:assert/strict";
import { ask } from "./asking.ts";
import { type Book, microsOf } from "./book.ts";
import type { House } from "./servers.ts";

/** In the end every server tells of every tender at least what was acknowledged, and all of them the same. */
export async function provesWhole({ urls }: House, { last }: Book): Promise<void> {
  for (const [id, at] of last) {
    const told = await Promise.all(urls.map((url) => ask(`${url}/api/2.5/tenders/${id}`)));
    const times = told.map((one) => microsOf(one!.body.data.dateModified));
    assert.ok(
      times.every((time) => time === times[0] && time >= at),
      `${id} was acknowledged at ${at}; the servers say ${times.join(", ")}`,
    );
  }
}
