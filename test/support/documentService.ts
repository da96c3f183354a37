import { createHash, createPrivateKey, sign } from "node:crypto";
import { globSync } from "node:fs";
import { join } from "node:path";
import { expectStatus, type RequestOptions, type TestResponse, type World } from "./world.ts";

export const md5Of = (content: string): string => createHash("md5").update(content).digest("hex");

/** The `data` of an upload, which registers a document. */
export type UploadedFile = {
  readonly url: string;
  readonly hash: string;
  readonly format: string;
  readonly title: string;
};

/** A client of the document service. */
export function openDocumentServiceClient(world: World) {
  const api = world.api("2.5");
  const formOf = (content: string, name: string, type: string): FormData => {
    const form = new FormData();
    form.append("file", new Blob([content], { type }), name);
    return form;
  };
  const urlOf = (address: string) => (address.startsWith("http") ? address : world.url + address);
  return {
    get: (address: string, options: RequestOptions = {}) => api.get(urlOf(address), { key: null, ...options }),
    request: (method: string, path: string, options?: RequestOptions) => api.request(method, urlOf(path), options),
    register: (hash: unknown, options: RequestOptions = {}) =>
      api.request("POST", urlOf("/register"), { body: { data: { hash } }, ...options }),
    upload: (
      content: string,
      address = "/upload",
      options: RequestOptions = {},
      name = "звіт.txt",
    ): Promise<TestResponse> =>
      api.request("POST", urlOf(address), { raw: formOf(content, name, "text/plain"), ...options }),
    uploadFile: async (content: string, name?: string): Promise<UploadedFile> => {
      const form = formOf(content, name ?? "звіт.txt", "text/plain");
      return expectStatus(200, await api.request("POST", urlOf("/upload"), { raw: form })).body.data;
    },
  };
}

export type DocumentServiceClient = ReturnType<typeof openDocumentServiceClient>;

/** The key of a file: the last segment of its URL. */
export const fileKeyOf = (url: string): string => new URL(url).pathname.split("/").at(-1)!;

/** The private key with which the registry signs document URLs. */
export async function documentKeyOf({ database }: World): Promise<string> {
  const [row] = await database.query("select secret from secrets where name = 'document key'");
  return row!.secret as string;
}

/** The query of a URL, signed with the key of the registry. */
export async function signedQuery(world: World, keyID: string, ...parts: readonly string[]): Promise<string> {
  const privateKey = createPrivateKey(await documentKeyOf(world));
  const signature = sign(null, Buffer.from(parts.join("\0")), privateKey).toString("base64");
  return `Signature=${encodeURIComponent(signature)}&KeyID=${keyID}`;
}

export const withQuery = (url: string, change: (query: URLSearchParams) => void): string => {
  const changed = new URL(url);
  change(changed.searchParams);
  return changed.href;
};

/** The paths of all files in the file store, relative to its folder. */
export const storedFiles = ({ dataDir }: World): readonly string[] =>
  globSync("**/*", { cwd: join(dataDir, "files"), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir, "files").length + 1))
    .sort();
