import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isColoured, styleOf } from "./colours.ts";
import { formatTable } from "./tables.ts";

const [TERMINAL, FILE] = [{ isTTY: true }, { isTTY: false }];

describe("colours", () => {
  it("are used only on terminals, unless the environment says otherwise", () => {
    assert.equal(isColoured(TERMINAL, {}), true);
    assert.equal(isColoured(FILE, {}), false);
    assert.equal(isColoured({}, {}), false);
    assert.equal(isColoured(TERMINAL, { NO_COLOR: "1" }), false);
    assert.equal(isColoured(TERMINAL, { NO_COLOR: "" }), true);
    assert.equal(isColoured(TERMINAL, { TERM: "dumb" }), false);
    assert.equal(isColoured(FILE, { FORCE_COLOR: "1" }), true);
    assert.equal(isColoured(FILE, { FORCE_COLOR: "1", NO_COLOR: "1" }), true);
    assert.equal(isColoured(TERMINAL, { FORCE_COLOR: "0" }), false);
  });

  it("have no width in a table, and end where a line is truncated", () => {
    const { good } = styleOf(true);
    const rows = [
      [good("ok"), "first"],
      ["wrong", good("a long one")],
    ];
    assert.equal(
      formatTable(["STATE", "WHAT"], rows, 12),
      "STATE  WHAT\n\u001b[32mok\u001b[39m     first\nwrong  \u001b[32ma lo\u001b[39m…\n",
    );
    assert.equal(formatTable(["STATE"], [[styleOf(false).good("ok")]]), "STATE\nok\n");
  });

  it("end at the end of each line", () => {
    assert.equal(styleOf(true).bad("one\ntwo\n"), "\u001b[31mone\u001b[39m\n\u001b[31mtwo\u001b[39m\n");
  });
});
