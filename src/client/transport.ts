/** Sends one try. Uploads have ways of their own. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;
