import { createServer } from "node:net";

/** A range outside the ephemeral ports of all systems, which assign neither for port 0 nor for outgoing connections. */
const FIRST = 20_000;
const COUNT = 10_000;

/**
 * A free port, for programs that cannot choose one themselves. The port is not reserved, so it must not be an ephemeral one,
 * which the system could assign to another program meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
