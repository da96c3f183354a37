import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AUCTION_MOVES, drawAuction } from "../scripts/auctionDiagram.ts";
import { drawProcedure, FOLDER, renderProcedureFiles } from "../scripts/diagrams.ts";
import { type Box, layOutDrawing, renderSvg, type Transition } from "../scripts/stateDiagram.ts";
import { PROCEDURES } from "../src/domain/procedures/index.ts";
import { statusTransitions } from "../src/domain/procedures/statusGraph.ts";

describe("the procedure pages", () => {
  it("are current: after a look at the change, node scripts/run.mjs scripts/diagrams.ts writes them again", () => {
    const files = renderProcedureFiles();
    assert.deepEqual(readdirSync(FOLDER).toSorted(), [...files.keys()].toSorted());
    for (const [name, text] of files) assert.equal(readFileSync(`${FOLDER}/${name}`, "utf8"), text, name);
  });
});

describe("the diagram of a procedure", () => {
  for (const procedure of Object.values(PROCEDURES))
    it(`shows transitions from any status once, and no label overlaps another: ${procedure.name}`, () => {
      const { statuses, labels } = drawProcedure(procedure);
      const texts = labels.map(({ lines }) => lines.join(" "));
      assert.deepEqual(
        texts.filter((text) => text.includes("owner: cancel")),
        ["from any status: owner: cancel"],
      );
      const boxes: readonly Box[] = [...statuses, ...labels];
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) assert.ok(!overlap(a, b), JSON.stringify([a, b]));
      // Every label is drawn.
      for (const { why } of statusTransitions(procedure))
        assert.ok(
          texts.some((text) => text.includes(why)),
          why,
        );
    });
});

describe("the diagram of the auction", () => {
  it("shows every move with its reason, cancelling once, and no label overlaps another", () => {
    const { statuses, labels } = drawAuction();
    const texts = labels.map(({ lines }) => lines.join(" "));
    for (const { why } of AUCTION_MOVES)
      assert.ok(
        texts.some((text) => text.includes(why)),
        why,
      );
    assert.equal(texts.filter((text) => text.includes("cancelled")).length, 1);
    const boxes: readonly Box[] = [...statuses, ...labels];
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1)) assert.ok(!overlap(a, b), JSON.stringify([a, b]));
  });
});

const STATUSES = [
  "draft",
  "active.enquiries",
  "active.auction",
  "active.awarded",
  "complete",
  "cancelled",
  "lost",
  "void",
];
const WHYS = [
  "owner: cancel",
  "the tender period ends",
  "owner: declare unsuccessful after the stand-still period",
  "x",
];

const ways = fc.array(
  fc.record<Transition>({
    from: fc.constantFrom(...STATUSES.slice(0, 5)),
    to: fc.constantFrom(...STATUSES),
    why: fc.constantFrom(...WHYS),
  }),
  { maxLength: 25 },
);

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("the diagram of any procedure table", () => {
  it("has every status once and an arrow for every pair of statuses with a transition", () => {
    fc.assert(
      fc.property(ways, (moves) => {
        const { statuses, arrows } = layOutDrawing(STATUSES, moves);
        assert.deepEqual(statuses.map(({ name }) => name).toSorted(), STATUSES.toSorted());
        // One more arrow leads into the first status.
        assert.equal(arrows.length, new Set(moves.map(({ from, to }) => `${from} ${to}`)).size + 1);
      }),
    );
  });

  it("has no label that overlaps a label or a box or leaves the frame", () => {
    fc.assert(
      fc.property(ways, (moves) => {
        const { statuses, labels, frame } = layOutDrawing(STATUSES, moves);
        const boxes: readonly Box[] = [...statuses, ...labels];
        for (const [i, a] of boxes.entries())
          for (const b of boxes.slice(i + 1)) assert.ok(!overlap(a, b), JSON.stringify([a, b]));
        for (const { x, y, width, height } of boxes) {
          assert.ok(x > frame.x && x + width < frame.x + frame.width);
          assert.ok(y > frame.y && y + height < frame.y + frame.height);
        }
      }),
    );
  });

  it("has no arrow through a label", () => {
    fc.assert(
      fc.property(ways, (moves) => {
        const { arrows, labels } = layOutDrawing(STATUSES, moves);
        for (const points of arrows)
          for (const [i, [x, y]] of points.slice(0, -1).entries()) {
            const [toX, toY] = points[i + 1]!;
            const line = {
              x: Math.min(x, toX),
              y: Math.min(y, toY),
              width: Math.abs(x - toX),
              height: Math.abs(y - toY),
            };
            for (const label of labels) assert.ok(!overlap(line, label), JSON.stringify([line, label]));
          }
      }),
    );
  });

  it("escapes XML characters", () => {
    const svg = renderSvg("a < b", layOutDrawing(["a", "b"], [{ from: "a", to: "b", why: "<script> & co" }]));
    assert.match(svg, /<title id="title">a &lt; b<\/title>/);
    assert.match(svg, /&lt;script&gt; &amp; co/);
  });
});
