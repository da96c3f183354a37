import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy between a client and a registry. It responds 404 where `allows` is false, adds headers, and records all URLs. */
export async function openProxy(
  registry: string,
  allows: (url: string) => boolean = () => true,
  extraHeaders: (incoming: IncomingMessage) => { readonly [header: string]: string | undefined } = () => ({}),
) {
  const requestedUrls: string[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    requestedUrls.push(url);
    if (!allows(url)) return void response.writeHead(404).end();
    const upstream = request(`${registry}${url}`, { method, headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode!, { ...upstreamResponse.headers, ...extraHeaders(incoming) });
      response.flushHeaders();
      upstreamResponse.pipe(response);
    });
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestedUrls: (): readonly string[] => requestedUrls,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
