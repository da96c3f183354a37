import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PublishedTender, publish, school } from "../support/examples.ts";
import { entriesIn, openSse } from "../support/sse.ts";
import { type Api, expectStatus, openWorld } from "../support/world.ts";

/** Readers with a filter miss no match, while tenders start and cease to match. */

const [WRITERS, WRITES] = [6, 30];
const BUYER = "12345678";
const FILTER = `value_min=100&procuringEntity=${BUYER}&classification=09,33`;

type Entry = { readonly id: string; readonly dateModified: string };
/** All acknowledged states of each tender, oldest first, with whether they match the filter. */
type WrittenStates = Map<string, { readonly dateModified: string; readonly meets: boolean }[]>;

const bodyOf = (amount: number) => ({
  value: { amount, currency: "UAH", valueAddedTaxIncluded: true },
  procuringEntity: { ...school, identifier: { ...school.identifier, id: BUYER } },
  items: [{ id: "1", description: "x", classification: { scheme: "CPV", id: "09111000-0", description: "x" } }],
});

/** Each writer changes its own tenders, which match the filter in two of three states. */
async function write(api: Api, written: WrittenStates): Promise<void> {
  const own: PublishedTender[] = [];
  for (let i = 0; i < WRITES; i++) {
    const amount = i % 3 === 1 ? 99.99 : 100 + i;
    const known = own[(i * 7) % own.length];
    if (i % 4 === 0 || !known) {
      const made = await publish(api, bodyOf(amount));
      own.push(made);
      written.set(made.id, [{ dateModified: made.response.body.data.dateModified, meets: amount >= 100 }]);
    } else {
      const { path, token, id } = known;
      const { body } = expectStatus(200, await api.patch(path, { value: bodyOf(amount).value }, { token }));
      written.get(id)!.push({ dateModified: body.data.dateModified, meets: amount >= 100 });
    }
  }
}

/** Reads pages until one is empty after all writes. */
async function followPages(api: Api, limit: number, isOver: () => boolean): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let path = `/tenders?${FILTER}&limit=${limit}`; ; ) {
    const wasOver = isOver();
    const { body } = expectStatus(200, await api.get(path));
    entries.push(...body.data);
    if (wasOver && body.data.length === 0) return entries;
    path = body.next_page.path.replace(/^\/api\/[^/]+/, "");
  }
}

function assertLossless(entries: readonly Entry[], written: WrittenStates, who: string): void {
  const seen = entries.map(({ id, dateModified }) => `${id} ${dateModified}`);
  assert.equal(new Set(seen).size, seen.length, `${who} hears nothing twice`);
  for (const { id, dateModified } of entries) {
    const state = written.get(id)!.find((state) => state.dateModified === dateModified);
    assert.ok(state?.meets, `${who} hears of ${id} at ${dateModified}, which does not meet the filter`);
  }
  for (const [id, states] of written) {
    const { dateModified, meets } = states.at(-1)!;
    if (meets) assert.ok(seen.includes(`${id} ${dateModified}`), `${who} misses ${id} at ${dateModified}`);
  }
}

for (const ticking of [false, true])
  describe(`while writers write at full speed and the clock ${ticking ? "runs" : "stands still"}`, () => {
    it("filtered pages and filtered streams miss and repeat no matching change", async (t) => {
      const world = await openWorld({}, ticking);
      t.after(world.stop);
      const written: WrittenStates = new Map();
      const streams = await Promise.all(
        ["2.5", "2.3"].map((version) => openSse(`${world.url}/api/${version}/tenders/stream?${FILTER}`)),
      );
      let isOver = false;
      const paging = ["2.5", "2.3"].flatMap((version) =>
        [1, 3, 100].map((limit) => followPages(world.api(version), limit, () => isOver)),
      );
      await Promise.all(Array.from({ length: WRITERS }, () => write(world.api("2.3"), written)));
      // A last change that every reader receives, so that all earlier ones have arrived.
      const { id: last, response } = await publish(world.api("2.3"), bodyOf(1000));
      written.set(last, [{ dateModified: response.body.data.dateModified, meets: true }]);
      isOver = true;
      const states = [...written.values()];
      assert.ok(
        states.some((history) => !history.at(-1)!.meets) &&
          states.some((history) => history.some(({ meets }) => !meets)),
      );
      for (const [i, entries] of (await Promise.all(paging)).entries()) assertLossless(entries, written, `page ${i}`);
      for (const [i, sse] of streams.entries()) {
        await sse.waitUntil(({ events }) => events.some(({ data }) => data.includes(last)));
        sse.close();
        assertLossless(entriesIn(sse) as unknown as readonly Entry[], written, `stream ${i}`);
      }
    });
  });
