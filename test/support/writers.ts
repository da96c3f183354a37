import { type PublishedTender, publish } from "./examples.ts";
import { type Api, expectStatus } from "./world.ts";

/** The default number of writers. */
export const WRITERS = 6;
/** The default number of writes of each writer. */
export const WRITES = 21;

/** Writers that create and change their own tenders as fast as possible. Returns the last `dateModified` of each tender. */
export async function writeAtFullSpeed(api: Api, writers = WRITERS, writes = WRITES): Promise<Map<string, string>> {
  const lastModified = new Map<string, string>();
  const write = async () => {
    const ownTenders: PublishedTender[] = [];
    for (let i = 0; i < writes; i++) {
      if (i % 3 === 0) {
        const tender = await publish(api, {});
        ownTenders.push(tender);
        lastModified.set(tender.id, tender.response.body.data.dateModified);
        continue;
      }
      const { path, token, id } = ownTenders[(i * 7) % ownTenders.length]!;
      const response = expectStatus(200, await api.patch(path, { title: `Title ${i}` }, { token }));
      lastModified.set(id, response.body.data.dateModified);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return lastModified;
}
