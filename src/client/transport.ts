/** Sends one attempt of a request, like `fetch`. Uploads that report progress use other transports. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;
