import assert from "node:assert/strict";
import { waitForNextPoll } from "../support/processes.ts";
import { type AcknowledgedWrites, microsOf } from "./acknowledgedWrites.ts";
import { pickRandom, sendRequest } from "./request.ts";

type OwnTender = { readonly id: string; readonly token: string };

/** Creates and edits tenders through random servers as fast as possible. Asserts after each write that another server sees it. */
export async function writeTenders(
  urls: readonly string[],
  writes: AcknowledgedWrites,
  isOver: () => boolean,
): Promise<void> {
  const ownTenders: OwnTender[] = [];
  while (!isOver()) {
    const root = `${pickRandom(urls)}/api/2.3/tenders`;
    const edited = ownTenders.length > 3 && Math.random() < 0.5 ? pickRandom(ownTenders) : undefined;
    const response = edited
      ? await sendRequest(`${root}/${edited.id}`, "PATCH", { title: `Edited ${Math.random()}` }, edited.token)
      : await sendRequest(root, "POST", { title: "Soaked" });
    if (!response) {
      writes.recordUnanswered();
      await waitForNextPoll();
      continue;
    }
    assert.ok(response.status === 200 || response.status === 201, JSON.stringify(response));
    const { data, access } = response.body;
    const at = microsOf(data.dateModified);
    writes.acknowledge(data.id, at);
    if (access) ownTenders.push({ id: data.id, token: access.token });
    await assertVisible(urls, data.id, at);
  }
}

/** Asserts that a random server returns the acknowledged change. */
async function assertVisible(urls: readonly string[], id: string, at: number): Promise<void> {
  const url = pickRandom(urls);
  const response = await sendRequest(`${url}/api/2.5/tenders/${id}`);
  if (!response) return;
  assert.equal(response.status, 200, `${url} does not know ${id}, which was acknowledged`);
  assert.ok(
    microsOf(response.body.data.dateModified) >= at,
    `${url} returned an older version of ${id} than was acknowledged`,
  );
}
