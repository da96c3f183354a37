import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { ask, oneOf } from "./asking.ts";
import { type Book, microsOf } from "./book.ts";

type Own = { readonly id: string; readonly token: string };

/** Publishes and edits as fast as it is answered, now here, now there; after each answer another server must know of it. */
export async function write(urls: readonly string[], book: Book, isOver: () => boolean): Promise<void> {
  const own: Own[] = [];
  while (!isOver()) {
    const root = `${oneOf(urls)}/api/2.3/tenders`;
    const edited = own.length > 3 && Math.random() < 0.5 ? oneOf(own) : undefined;
    const told = edited
      ? await ask(`${root}/${edited.id}`, "PATCH", { title: `Edited ${Math.random()}` }, edited.token)
      : await ask(root, "POST", { title: "Soaked" });
    if (!told) {
      book.missAnswer();
      await pause(20);
      continue;
    }
    assert.ok(told.status === 200 || told.status === 201, JSON.stringify(told));
    const { data, access } = told.body;
    const at = microsOf(data.dateModified);
    book.acknowledge(data.id, at);
    if (access) own.push({ id: data.id, token: access.token });
    await provesKnown(urls, data.id, at);
  }
}

/** Reads see every acknowledged write, whichever server acknowledged it. */
async function provesKnown(urls: readonly string[], id: string, at: number): Promise<void> {
  const url = oneOf(urls);
  const told = await ask(`${url}/api/2.5/tenders/${id}`);
  if (!told) return;
  assert.equal(told.status, 200, `${url} does not know ${id}, which was acknowledged`);
  assert.ok(
    microsOf(told.body.data.dateModified) >= at,
    `${url} tells of an older state of ${id} than was acknowledged`,
  );
}
