import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openProgress } from "./progress.ts";

/** A stream that records what is written, and a manual clock. */
function openScreen(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  let nowMs = 0;
  return {
    out: { write: (text: string) => void written.push(text), isTTY, columns },
    now: () => nowMs,
    wait: (ms: number) => {
      nowMs += ms;
    },
    written,
  };
}

const openOn = (screen: ReturnType<typeof openScreen>, total = 4000, label = "importing") =>
  openProgress({ label, total, unit: "rows", out: screen.out, now: screen.now });

describe("on a terminal, progress", () => {
  test("is one line with a bar, percentage, counts, rate and remaining time", () => {
    const screen = openScreen(true);
    const progress = openOn(screen);
    screen.wait(2000);
    progress.step(1000);
    assert.deepEqual(screen.written, [
      "\r\u001b[Kimporting [######----------------] 25 %, 1 000 of 4 000 rows, 500/s, 6 s left",
    ]);
  });

  test("is drawn at most ten times a second", () => {
    const screen = openScreen(true);
    const progress = openOn(screen);
    for (let i = 0; i < 1000; i++) {
      screen.wait(1);
      progress.step(1);
    }
    assert.ok(screen.written.length <= 11, String(screen.written.length));
  });

  test("never wraps, however narrow the terminal is, even with a ^C after it", () => {
    for (const columns of [10, 20, 40, 60, 79, 80, 200]) {
      const screen = openScreen(true, columns);
      const progress = openOn(screen, 123456789);
      for (const step of [1, 1000, 123455788]) {
        screen.wait(100_000);
        progress.step(step);
      }
      progress.end();
      for (const text of screen.written)
        assert.ok(text.replaceAll(/\r\u001b\[K|\n/g, "").length + 2 < columns, `${columns}: ${text}`);
    }
  });

  test("ends with the count, rate and duration on a finished line", () => {
    const screen = openScreen(true);
    const progress = openOn(screen);
    screen.wait(4_000_000);
    progress.step(4000);
    screen.written.length = 0;
    progress.end();
    assert.deepEqual(screen.written, [
      "\r\u001b[Kimporting [############################] 100 %, 4 000 rows, 1/s, in 1 h 6 min\n",
    ]);
  });

  test("that is cut short ends at its current count", () => {
    const screen = openScreen(true);
    const progress = openOn(screen);
    screen.wait(1000);
    progress.step(1000);
    progress.end();
    assert.match(screen.written.at(-1)!, /25 %, 1 000 of 4 000 rows, 1 000\/s, in 1 s\n$/);
  });

  test("without a known total counts without a bar", () => {
    const screen = openScreen(true);
    const progress = openOn(screen, 0, "files");
    screen.wait(65_000);
    progress.step(130);
    progress.end();
    assert.deepEqual(screen.written, [
      "\r\u001b[Kfiles 130 rows, 2/s",
      "\r\u001b[Kfiles 130 rows, 2/s, in 1 min 5 s\n",
    ]);
  });
});

describe("in a file, progress", () => {
  test("is a plain line every ten seconds, and one at the end", () => {
    const screen = openScreen(false);
    const progress = openOn(screen);
    for (let i = 0; i < 40; i++) {
      screen.wait(1000);
      progress.step(100);
    }
    progress.end();
    assert.deepEqual(screen.written, [
      "importing: 25 %, 1 000 of 4 000 rows, 100/s, 30 s left\n",
      "importing: 50 %, 2 000 of 4 000 rows, 100/s, 20 s left\n",
      "importing: 75 %, 3 000 of 4 000 rows, 100/s, 10 s left\n",
      "importing: 100 %, 4 000 of 4 000 rows, 100/s, 0 s left\n",
      "importing: 100 %, 4 000 rows, 100/s, in 40 s\n",
    ]);
  });

  test("counts steps that are parts of one in whole numbers", () => {
    const screen = openScreen(false);
    const progress = openOn(screen);
    for (let i = 0; i < 4000 * 3; i++) {
      screen.wait(1);
      progress.step(1 / 3);
    }
    progress.end();
    assert.deepEqual(screen.written, [
      "importing: 83 %, 3 333 of 4 000 rows, 333/s, 3 s left\n",
      "importing: 100 %, 4 000 rows, 333/s, in 12 s\n",
    ]);
  });

  test("prints nothing for a fast operation", () => {
    const screen = openScreen(false);
    const progress = openOn(screen);
    screen.wait(9999);
    progress.step(4000);
    progress.end();
    assert.deepEqual(screen.written, []);
  });
});
