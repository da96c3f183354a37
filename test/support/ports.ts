import { createServer } from "node:net";

/** No system hands these out by itself: neither to whoever asks for any port, nor for a connection that goes out. */
const FIRST = 20_000;
const COUNT = 10_000;

/**
 * A port for whoever cannot be told to choose one itself. It is not held, so nothing else may be given it meanwhile: that is why
 * it is not asked of the system, which would soon give it to somebody else.
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
