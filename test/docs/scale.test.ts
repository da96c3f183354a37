import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { renderCharts } from "../../bench/charts/charts.ts";
import { readFigures } from "../../bench/charts/figures.ts";
import { SCALE_PAGE, withFigures, withoutFigures } from "../../bench/charts/scalePage.ts";

const MEASURED = /\d ?(µs|ms|MiB|\/s)\b|\d (times|requests|changes|tenders) (a|in a) second/;

describe("docs/scale.md", () => {
  const page = readFileSync(SCALE_PAGE, "utf8");
  const figures = readFigures();

  it("has the figures of docs/scale.json: npm run bench -- --charts measures and writes both", () => {
    assert.equal(page, withFigures(page, figures));
  });

  it("has no other measured figure in its text", () => {
    assert.doesNotMatch(withoutFigures(page), MEASURED);
    for (const text of ["240 µs", "3,455/s", "0.1 ms", "5000 changes a second"]) assert.match(text, MEASURED);
  });

  it("shows charts that are drawn from the same figures", () => {
    for (const [file, svg] of renderCharts(figures)) {
      assert.equal(readFileSync(file, "utf8"), svg, file);
      assert.ok(page.includes(`](${file.replace("docs/", "")})`), `${file} is not on the page`);
    }
  });

  it("fails for a page that lacks a block", () => {
    assert.throws(() => withFigures(page.replace("<!-- figures: bids -->", ""), figures), /has the blocks/);
  });
});
