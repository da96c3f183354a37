import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { childrenOf, NO_PROCESSES, openProcesses, urlOf, waitUntil } from "../support/processes.ts";
import { documentedMetrics, readMetrics, scrape, sumOf } from "../support/prometheus.ts";

describe("metrics of several workers", { skip: NO_PROCESSES }, () => {
  const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
  const { folder: data, run } = openProcesses("metrics");

  it("cover all workers, whichever one responds", async () => {
    const server = run(MAIN, { DATA_DIR: join(data, "workers"), WORKERS: "3" });
    const url = await urlOf(server);
    const headers = { Connection: "close" };
    for (let i = 0; i < 30; i++) await (await fetch(`${url}/api/2.5/tenders`, { headers })).text();
    for (let i = 0; i < 6; i++) {
      const scraped = await scrape(url);
      const route = "/api/{version}/tenders";
      assert.equal(sumOf(scraped, "tenderhall_requests_total", { route }), 30);
      assert.equal(sumOf(scraped, "tenderhall_worker_up"), 3);
      const memory = scraped.series.filter(({ name }) => name === "process_resident_memory_bytes");
      assert.deepEqual(
        memory.map(({ labels }) => labels.worker),
        ["1", "2", "3"],
      );
      assert.deepEqual(
        [...scraped.types].toSorted(),
        documentedMetrics.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
    }
    const [, stalled] = childrenOf(server.child.pid!);
    process.kill(stalled!, "SIGSTOP");
    await waitUntil(async () => {
      const response = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(4000) }).catch(
        () => undefined,
      );
      return response?.status === 200 && sumOf(readMetrics(await response.text()), "tenderhall_worker_up") === 2;
    }, server.output);
    process.kill(stalled!, "SIGCONT");
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.output());
  });
});
