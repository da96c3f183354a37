import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";

export type DevServer = {
  /** Resolves when the server listens, or has ended because it cannot start. */
  readonly start: () => Promise<void>;
  readonly restart: (changed: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const PROGRAM = "src/main.ts";
/** How long requests in flight may hold up a restart. A server that is killed loses nothing that it has acknowledged. */
const STOP_MS = 300;
const LISTENS = /listening on (?<welcome>\S+)|"what":"listening","url":"(?<log>[^"]+)"/;
/** Lines of a stack that say nothing about the server's own code. */
const INSIDE_NODE = /^\s+at .*\bnode:internal\//;

/** One server at a time. One that ends by itself leaves its error on the terminal and waits for the next change. */
export function openDevServer(args: readonly string[], print: (text: string) => void): DevServer {
  let child: ChildProcess | undefined;

  function start(changed: readonly string[] = []): Promise<void> {
    const startedMs = performance.now();
    const isRestart = changed.length > 0;
    // The server ends with the channel, so that it does not outlive this process.
    const started = fork(PROGRAM, [...args], { stdio: ["inherit", "pipe", "pipe", "ipc"] });
    child = started;
    return new Promise((resolve) => {
      let isListening = false;
      createInterface({ input: started.stderr! }).on("line", (line) => {
        if (!INSIDE_NODE.test(line)) print(line);
      });
      createInterface({ input: started.stdout! }).on("line", (line) => {
        // Only the first start prints the welcome: after a restart the log goes on.
        if (!isRestart || line.startsWith("{")) print(line);
        const address = isListening ? undefined : LISTENS.exec(line)?.groups;
        if (!address) return;
        isListening = true;
        const seconds = ((performance.now() - startedMs) / 1000).toFixed(2);
        if (isRestart) print(`Restarted in ${seconds} s: ${address.welcome ?? address.log}`);
        resolve();
      });
      started.on("exit", (code, signal) => {
        resolve();
        if (child !== started) return;
        child = undefined;
        print(
          `\nThe server ended (${signal ?? `exit code ${code}`}): see above. It starts again after the next change.`,
        );
      });
    });
  }

  async function stop(): Promise<void> {
    const stopping = child;
    child = undefined;
    if (!stopping) return;
    const kill = setTimeout(() => stopping.kill("SIGKILL"), STOP_MS);
    await new Promise((resolve) => {
      stopping.once("exit", resolve);
      stopping.kill("SIGTERM");
    });
    clearTimeout(kill);
  }

  return {
    start,
    stop,
    restart: async (changed) => {
      print(`\nChanged: ${changed.join(", ")}`);
      await stop();
      await start(changed);
    },
  };
}
