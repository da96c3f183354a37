import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openProgress } from "./progress.ts";

/** A stream that keeps what it was told, and a time that passes only when it is told to. */
function openScreen(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  let passed = 0;
  return {
    out: { write: (text: string) => void written.push(text), isTTY, columns },
    now: () => passed,
    wait: (ms: number) => {
      passed += ms;
    },
    written,
  };
}

const opened = (screen: ReturnType<typeof openScreen>, total = 4000, what = "importing") =>
  openProgress({ label: what, total, unit: "rows", out: screen.out, now: screen.now });

describe("on a terminal, progress", () => {
  test("is one line with a bar, percent, counts, the rate and the time that is left", () => {
    const screen = openScreen(true);
    const progress = opened(screen);
    screen.wait(2000);
    progress.step(1000);
    assert.deepEqual(screen.written, [
      "\r\u001b[Kimporting [######----------------] 25 %, 1 000 of 4 000 rows, 500/s, 6 s left",
    ]);
  });

  test("is drawn at most ten times a second, however often it steps", () => {
    const screen = openScreen(true);
    const progress = opened(screen);
    for (let i = 0; i < 1000; i++) {
      screen.wait(1);
      progress.step(1);
    }
    assert.ok(screen.written.length <= 11, String(screen.written.length));
  });

  test("never wraps, however narrow the terminal is, nor does the ^C that follows it", () => {
    for (const columns of [10, 20, 40, 60, 79, 80, 200]) {
      const screen = openScreen(true, columns);
      const progress = opened(screen, 123456789);
      for (const step of [1, 1000, 123455788]) {
        screen.wait(100_000);
        progress.step(step);
      }
      progress.end();
      for (const text of screen.written)
        assert.ok(text.replaceAll(/\r\u001b\[K|\n/g, "").length + 2 < columns, `${columns}: ${text}`);
    }
  });

  test("ends with what was done, at what rate and how long it took, and leaves the line", () => {
    const screen = openScreen(true);
    const progress = opened(screen);
    screen.wait(4_000_000);
    progress.step(4000);
    screen.written.length = 0;
    progress.end();
    assert.deepEqual(screen.written, [
      "\r\u001b[Kimporting [############################] 100 %, 4 000 rows, 1/s, in 1 h 6 min\n",
    ]);
  });

  test("of what was cut off ends where it was", () => {
    const screen = openScreen(true);
    const progress = opened(screen);
    screen.wait(1000);
    progress.step(1000);
    progress.end();
    assert.match(screen.written.at(-1)!, /25 %, 1 000 of 4 000 rows, 1 000\/s, in 1 s\n$/);
  });

  test("of what nobody knows the size counts on without a bar", () => {
    const screen = openScreen(true);
    const progress = opened(screen, 0, "files");
    screen.wait(65_000);
    progress.step(130);
    progress.end();
    assert.deepEqual(screen.written, [
      "\r\u001b[Kfiles 130 rows, 2/s",
      "\r\u001b[Kfiles 130 rows, 2/s, in 1 min 5 s\n",
    ]);
  });
});

describe("elsewhere, progress", () => {
  test("is a plain line every ten seconds, and one at the end", () => {
    const screen = openScreen(false);
    const progress = opened(screen);
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

  test("says nothing of what was quick", () => {
    const screen = openScreen(false);
    const progress = opened(screen);
    screen.wait(9999);
    progress.step(4000);
    progress.end();
    assert.deepEqual(screen.written, []);
  });
});
