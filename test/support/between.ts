import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Something between a client and a registry: it passes requests on, refuses some, adds headers to answers, and
 * remembers all requests.
 */
export async function openBetween(
  registry: string,
  lets: (url: string) => boolean = () => true,
  adds: (incoming: IncomingMessage) => { readonly [header: string]: string | undefined } = () => ({}),
) {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    asked.push(url);
    if (!lets(url)) return void response.writeHead(404).end();
    const onwards = request(`${registry}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, { ...answer.headers, ...adds(incoming) });
      response.flushHeaders();
      answer.pipe(response);
    });
    onwards.on("error", () => response.destroy());
    response.on("close", () => onwards.destroy());
    incoming.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (): readonly string[] => asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
