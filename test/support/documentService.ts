import { createHash, createPrivateKey, sign } from "node:crypto";
import { globSync } from "node:fs";
import { join } from "node:path";
import { type Answered, expectStatus, type Sent, type World } from "./world.ts";

/** Speaks to the document service as today's clients do. */

export const md5Of = (content: string): string => createHash("md5").update(content).digest("hex");

export type Uploaded = { readonly url: string; readonly hash: string; readonly format: string; readonly title: string };

export function openClient(world: World) {
  const api = world.api("2.5");
  const formOf = (content: string, name: string, type: string): FormData => {
    const form = new FormData();
    form.append("file", new Blob([content], { type }), name);
    return form;
  };
  const at = (address: string) => (address.startsWith("http") ? address : world.url + address);
  return {
    get: (address: string, sent: Sent = {}) => api.get(at(address), { key: null, ...sent }),
    request: (method: string, path: string, sent?: Sent) => api.request(method, at(path), sent),
    register: (hash: unknown, sent: Sent = {}) =>
      api.request("POST", at("/register"), { body: { data: { hash } }, ...sent }),
    upload: (content: string, address = "/upload", sent: Sent = {}, name = "звіт.txt"): Promise<Answered> =>
      api.request("POST", at(address), { raw: formOf(content, name, "text/plain"), ...sent }),
    uploaded: async (content: string, name?: string): Promise<Uploaded> => {
      const form = formOf(content, name ?? "звіт.txt", "text/plain");
      return expectStatus(200, await api.request("POST", at("/upload"), { raw: form })).body.data;
    },
  };
}

export type Client = ReturnType<typeof openClient>;

export const keyOf = (url: string): string => new URL(url).pathname.split("/").at(-1)!;

export async function documentKeyOf({ database }: World): Promise<string> {
  const [row] = await database.ask("select secret from secrets where name = 'document key'");
  return row!.secret as string;
}

/** The query of an address signed with the registry's own key. */
export async function signedQuery(world: World, keyID: string, ...parts: readonly string[]): Promise<string> {
  const own = createPrivateKey(await documentKeyOf(world));
  const signature = sign(null, Buffer.from(parts.join("\0")), own).toString("base64");
  return `Signature=${encodeURIComponent(signature)}&KeyID=${keyID}`;
}

export const withQuery = (url: string, change: (query: URLSearchParams) => void): string => {
  const changed = new URL(url);
  change(changed.searchParams);
  return changed.href;
};

/** What lies in the folder of files, by its place below it. */
export const filesIn = ({ dataDir }: World): readonly string[] =>
  globSync("**/*", { cwd: join(dataDir, "files"), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir, "files").length + 1))
    .sort();
