import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, it } from "node:test";
import { SETTINGS } from "../../src/config/settings.ts";
import { missingPrograms, runScript } from "../support/programs.ts";
import { openWorld } from "../support/world.ts";

/** What the README promises is run as it stands there. */

const readme = readFileSync("README.md", "utf8");
const tour = [...readme.matchAll(/^```sh tour\n(.*?)^```/gms)].map(([, block]) => block).join("\n");
const world = await openWorld({}, true);
const skip = missingPrograms("bash", "curl");
/** Begun at once, so that its waits pass while other tests run. */
const toured = skip ? undefined : runScript(tour, { cwd: world.dataDir, environment: { API: world.api("2.5").root } });
after(world.stop);

describe("the README", () => {
  it("has a tour that works when pasted from top to bottom", { skip }, async () => {
    const { output, code } = await toured!;
    assert.equal(code, 0, output);
    const shown = [
      /"title": "School meals"/,
      /"answer":"Lunch only\."/,
      /^what the meals are$/m,
      /Can't view bids in current \(active\.tendering\) tender status.*<- what everyone sees/,
      /"amount":480000\.0.*<- what its owner sees/,
      /"tenderID":"UA-\d{4}-\d\d-\d\d-000001","status":"complete"/,
    ];
    for (const pattern of shown) assert.match(output, pattern);
    assert.equal(output.match(/"tenderID":"UA-[0-9a-f]{32}"/g)?.length, 3, output);
  });

  it("lists every setting with its default", () => {
    for (const { name, fallback } of SETTINGS) {
      const row = readme.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
      assert.ok(row, `${name} is missing`);
      if (fallback) assert.ok(row.includes(`\`${fallback}\``), `${name} has another default`);
    }
  });
});
