import assert from "node:assert/strict";
import type { World } from "./world.ts";

// Pages of the portal as a browser without scripts loads them.

export type LoadedPage = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers: Headers;
};

/** Loads a page or another form of it. */
export async function loadPage({ url }: Pick<World, "url">, path: string): Promise<LoadedPage> {
  const response = await fetch(url + path, { redirect: "manual" });
  const { status, headers } = response;
  // `text()` would drop a byte order mark.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { status, type: headers.get("content-type") ?? "", text, headers };
}

/** The cells of a CSV file without quoted line breaks, by the names of its columns. */
export function csvRows(text: string): readonly { readonly [column: string]: string }[] {
  assert.ok(text.startsWith("\ufeff"), "the file has no byte order mark");
  const [header = [], ...lines] = text
    .slice(1)
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain),
    );
  return lines.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""])));
}

/** The text of a page's main part, without tags and repeated space. */
export const mainText = (html: string): string =>
  (/<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? "")
    .replaceAll(/<(?:title|desc)[^>]*>.*?<\/(?:title|desc)>/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&#39;|&quot;/g, "'")
    .replaceAll(/[\s\u00a0\u202f]+/g, " ");
