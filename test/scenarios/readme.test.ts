import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, it } from "node:test";
import { renderSettingsPage } from "../../scripts/settings.ts";
import { SETTING_SECTIONS, SETTINGS } from "../../src/config/settings.ts";
import { missingPrograms, runScript } from "../support/programs.ts";
import { openWorld } from "../support/world.ts";

/** Runs the tour of the README as written. */

const readme = readFileSync("README.md", "utf8");
const tour = [...readme.matchAll(/^```sh tour\n(.*?)^```/gms)].map(([, block]) => block).join("\n");
const world = await openWorld({ AUCTIONS: "builtin" }, true);
const skip = missingPrograms("bash", "curl");
/** Started at once, so that its waits overlap with other tests. */
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
      /"unpublished":\{"amount":470000/,
      /^1 Tasty Ltd 470000\n2 Tasty Ltd 475000$/m,
      /"tenderID":"UA-\d{4}-\d\d-\d\d-000001","status":"complete"/,
    ];
    for (const pattern of shown) assert.match(output, pattern);
    assert.equal(output.match(/"tenderID":"UA-[0-9a-f]{32}"/g)?.length, 3, output);
  });

  it("is no longer than three screens", () => {
    assert.ok(readme.split("\n").length <= 125);
  });
});

describe("the settings page", () => {
  const page = readFileSync("docs/settings.md", "utf8");

  it("is current: npm run settings writes it", () => assert.equal(page, renderSettingsPage()));

  it("lists every setting once, in a section, with its default", () => {
    for (const { name, fallback } of SETTINGS) {
      const rows = page.split("\n").filter((line) => line.startsWith(`| \`${name}\` |`));
      assert.equal(rows.length, 1, `${name} is there once`);
      const [, , defaultText, meaning] = rows[0]!.split(/(?<!\\)\|/).map((cell) => cell.trim());
      if (fallback) assert.equal(defaultText, `\`${fallback}\``, `${name} has another default`);
      assert.ok(meaning!.length > 10, name);
    }
    assert.equal(page.match(/^## /gm)?.length, SETTING_SECTIONS.length);
  });

  it("is linked from the README and from operations", () => {
    assert.ok(readme.includes("](docs/settings.md)"));
    assert.ok(readFileSync("docs/operations.md", "utf8").includes("](settings.md)"));
  });
});
