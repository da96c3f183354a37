import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Path, Problem } from "../../src/domain/model/refusals.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import { requiredToBid, requiredToPublish } from "../../src/domain/tender/requiredFields.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

/** The required fields in the reference are sufficient and necessary. */

const VALUES: { readonly [name: string]: unknown } = {
  amount: 100,
  contactPoint: {},
  id: "55523100-3",
  scheme: "UA-EDR",
};

type Tree = { [step: string]: unknown };

/** An object with exactly these fields. */
function made(paths: readonly Path[], endDates: { readonly [period: string]: string }): object {
  const tree: Tree = {};
  for (const path of paths) {
    let at = tree;
    for (const [i, step] of path.slice(0, -1).entries()) {
      at[step] ??= typeof path[i + 1] === "number" ? [] : {};
      at = at[step] as Tree;
    }
    const name = String(path.at(-1));
    at[name] = name === "endDate" ? endDates[String(path[0])] : (VALUES[name] ?? "Something");
  }
  return tree;
}

const pathsOf = (needed: readonly Problem[]): readonly Path[] => needed.map(({ path }) => path);

describe("the required fields in the reference", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const inDays = (days: number) => new Date(world.clock.now / 1000 + days * 86_400_000).toISOString();
  const { belowThreshold } = PROCEDURES;
  const periods = { enquiryPeriod: inDays(1), tenderPeriod: inDays(9) };

  const isEnough = async (path: string, needed: readonly Path[]) => {
    for (const left of needed) {
      const { status, body } = await api.post(
        path,
        made(
          needed.filter((field) => field !== left),
          periods,
        ),
      );
      assert.equal(status, 422, left.join("."));
      assert.match(JSON.stringify(body), /This field is required/, left.join("."));
    }
    return expectStatus(201, await api.post(path, made(needed, periods))).body;
  };

  it("are exactly those that a tender and a bid need", async () => {
    const { data } = await isEnough("/tenders", pathsOf(requiredToPublish(belowThreshold)));
    world.clock.forward(2 * 86_400_000_000);
    await isEnough(`/tenders/${data.id}/bids`, pathsOf(requiredToBid(belowThreshold)));
  });

  it("are listed with the request body", async () => {
    const page = await (await fetch(`${world.url}/docs/api/2.5/tenders`)).text();
    const { description } = ((await (await fetch(`${world.url}/api/2.5/openapi.json`)).json()) as Described).paths[
      "/tenders"
    ].post.requestBody;
    assert.match(description, /`items\[\]` \(`description`, `classification\.id`/);
    assert.match(page, /Required to publish under <code>belowThreshold<\/code>: <code>title<\/code>/);
  });
});

type Described = {
  readonly paths: {
    readonly "/tenders": { readonly post: { readonly requestBody: { readonly description: string } } };
  };
};
