import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openListTexts } from "./listTexts.ts";

describe("the texts of long lists", () => {
  const longList = (element: string, length = 1000) => Array.from({ length }, () => element);

  it("are written once for each list", () => {
    const textOf = openListTexts();
    const list = longList("a");
    let writes = 0;
    const write = (written: readonly string[]) => {
      writes += 1;
      return written.join("");
    };
    assert.equal(textOf(list, write), "a".repeat(1000));
    assert.equal(textOf(list, write), "a".repeat(1000));
    assert.equal(writes, 1);
    assert.equal(textOf([...list], write), "a".repeat(1000));
    assert.equal(writes, 2);
  });

  it("are forgotten in the order in which they were written once they take too much memory", () => {
    const textOf = openListTexts();
    const written: string[] = [];
    const lists = ["a", "b", "c"].map((name) => longList(name));
    const writeAll = () => {
      for (const list of lists)
        textOf(list, ([name = ""]) => {
          written.push(name);
          return name.repeat(1_500_000);
        });
    };
    writeAll();
    writeAll();
    assert.deepEqual(written, ["a", "b", "c", "a", "b", "c"]);
    lists.shift();
    writeAll();
    assert.equal(written.length, 6);
  });

  it("are not kept for short lists, nor for a list that is larger than all that may be kept", () => {
    const textOf = openListTexts();
    let writes = 0;
    const count = (text: string) => () => {
      writes += 1;
      return text;
    };
    const short = longList("a", 3);
    textOf(short, count("aaa"));
    textOf(short, count("aaa"));
    const huge = longList("b");
    textOf(huge, count("b".repeat(5_000_000)));
    textOf(huge, count("b".repeat(5_000_000)));
    assert.equal(writes, 4);
  });
});
