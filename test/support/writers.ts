import { type PublishedTender, publish } from "./examples.ts";
import { type Api, expectStatus } from "./world.ts";

export const WRITERS = 6;
export const WRITES = 21;

/** Publishes and changes, each writer its own tenders, as fast as the answers come. Answers what each tender ended as. */
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
