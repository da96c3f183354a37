import { type Published, publish } from "./examples.ts";
import { type Api, expectStatus } from "./world.ts";

export const WRITERS = 6;
export const WRITES = 21;

/** Publishes and changes, each writer its own tenders, as fast as the answers come. Answers what each tender ended as. */
export async function writeAtFullSpeed(api: Api, writers = WRITERS, writes = WRITES): Promise<Map<string, string>> {
  const last = new Map<string, string>();
  const write = async () => {
    const own: Published[] = [];
    for (let i = 0; i < writes; i++) {
      if (i % 3 === 0) {
        const made = await publish(api, {});
        own.push(made);
        last.set(made.id, made.answered.body.data.dateModified);
        continue;
      }
      const { path, token, id } = own[(i * 7) % own.length]!;
      const changed = expectStatus(200, await api.patch(path, { title: `Title ${i}` }, { token }));
      last.set(id, changed.body.data.dateModified);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return last;
}
