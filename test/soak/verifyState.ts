import assert from "node:assert/strict";
import { runCli } from "../../src/cli/runCli.ts";
import { type AcknowledgedWrites, microsOf } from "./acknowledgedWrites.ts";
import { sendRequest } from "./request.ts";
import type { SoakTarget } from "./servers.ts";

/** Asserts that all servers return the same version of every tender, at least the acknowledged one, and that `verify` succeeds. */
export async function verifyState({ urls, environment }: SoakTarget, { last }: AcknowledgedWrites): Promise<void> {
  const verified = await runCli(["verify"], environment);
  assert.equal(verified.code, 0, verified.out + verified.err);
  for (const [id, at] of last) {
    const responses = await Promise.all(urls.map((url) => sendRequest(`${url}/api/2.5/tenders/${id}`)));
    const times = responses.map((response) => microsOf(response!.body.data.dateModified));
    assert.ok(
      times.every((time) => time === times[0] && time >= at),
      `${id} was acknowledged at ${at}; the servers return ${times.join(", ")}`,
    );
  }
}
