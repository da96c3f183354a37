import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { trackOutput, unlessInterrupted } from "./interrupt.ts";

function openScreen() {
  const written: string[] = [];
  return { out: { write: (text: string) => void written.push(text), isTTY: true, columns: 80 }, written };
}

describe("an interrupted command", () => {
  test("finishes the line of progress and draws nothing after it", () => {
    const screen = openScreen();
    const tracked = trackOutput(screen.out);
    tracked.out.write("\r\u001b[Kimporting [####----] 50 %");
    tracked.finish();
    tracked.out.write("\r\u001b[Kimporting [#####---] 60 %");
    assert.deepEqual(screen.written, ["\r\u001b[Kimporting [####----] 50 %", "\n"]);
  });

  test("clears the ^C that a terminal printed if the last line is finished or there is none", () => {
    for (const texts of [["importing: 50 %\n"], []]) {
      const screen = openScreen();
      const tracked = trackOutput(screen.out);
      for (const text of texts) tracked.out.write(text);
      tracked.finish();
      assert.deepEqual(screen.written, [...texts, "\r\u001b[K"]);
    }
  });

  test("adds nothing after a finished line in a file", () => {
    const written: string[] = [];
    const tracked = trackOutput({ write: (text: string) => void written.push(text) });
    tracked.out.write("importing: 50 %\n");
    tracked.finish();
    assert.deepEqual(written, ["importing: 50 %\n"]);
  });

  test("reports the properties of the terminal", () => {
    const { out } = trackOutput(openScreen().out);
    assert.deepEqual([out.isTTY, out.columns], [true, 80]);
  });

  test("ends at once on a signal; without one, it returns the result of its work", async () => {
    const endless = unlessInterrupted(() => new Promise<string>(() => {}));
    // Not all listeners: others, such as that of the test runner, would end the process.
    process.listeners("SIGINT").at(-1)?.("SIGINT");
    assert.equal(await endless, undefined);
    assert.equal(await unlessInterrupted(async () => "finished"), "finished");
  });
});
