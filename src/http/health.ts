import type { Files } from "../files/files.ts";
import type { Registry } from "../registry/registry.ts";
import type { Answer } from "./answers.ts";
import type { Oversight } from "./oversight.ts";

/** Asks nobody: that it answers is the answer. */
export const showAlive = (): Answer => ({ status: 200, json: '{"status":"ok"}' });

const READY_MS_MAX = 2000;

type ReadinessPorts = {
  readonly registry: Pick<Registry, "ping">;
  readonly files: Pick<Files, "ping">;
  readonly oversight: Pick<Oversight, "isStopping">;
};

/** Whether requests can be served: which part is not ready is told, and nothing of why. */
export async function showReady({ registry, files, oversight }: ReadinessPorts): Promise<Answer> {
  const [store, documents] = await Promise.all([answers(registry.ping), answers(files.ping)]);
  const isStopping = oversight.isStopping();
  const status = isStopping ? "stopping" : store && documents ? "ok" : "unavailable";
  const said = (is: boolean) => (is ? "ok" : "unavailable");
  const json = JSON.stringify({ status, checks: { store: said(store), files: said(documents) } });
  const headers = { "Cache-Control": "no-store" };
  return status === "ok"
    ? { status: 200, headers, json }
    : { status: 503, headers: { ...headers, "Retry-After": "1" }, json };
}

async function answers(ping: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, READY_MS_MAX, false);
  });
  const asked = ping().then(
    () => true,
    () => false,
  );
  const told = await Promise.race([asked, late]);
  clearTimeout(timer);
  return told;
}
