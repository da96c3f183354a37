import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MEASURED_COLUMNS, MEASURES, readMeasure } from "./measures.ts";
import { AMOUNT_COLUMNS, COUNT_COLUMNS } from "./statisticsTables.ts";

const read = (query: string) => {
  const { measure, problems } = readMeasure(new URLSearchParams(query));
  return [measure, ...problems.map(({ rule, value }) => `${rule} ${value}`)];
};

describe("the measures of the statistics", () => {
  it("draw every column of the tables exactly once", () => {
    const drawn = MEASURES.flatMap((measure) => [
      ...MEASURED_COLUMNS[measure].counts,
      ...MEASURED_COLUMNS[measure].amounts,
    ]);
    const columns = [...COUNT_COLUMNS, ...AMOUNT_COLUMNS].map(({ id }) => id);
    assert.deepEqual(drawn.toSorted(), columns.toSorted());
  });

  it("are chosen by the address", () => {
    for (const measure of MEASURES) assert.deepEqual(read(`measure=${measure}`), [measure]);
    assert.deepEqual(read("from=2026-01"), ["volume"]);
    assert.deepEqual(read("measure="), ["volume"]);
  });

  it("are the first one if the address names none that there is", () => {
    assert.deepEqual(read("measure=price"), ["volume", "measure price"]);
    assert.deepEqual(read("measure=__proto__"), ["volume", "measure __proto__"]);
    assert.deepEqual(read("measure=time&measure=savings"), ["volume", "repeated time"]);
  });
});
