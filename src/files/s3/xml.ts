const ENTITIES: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** The text of the first element with this name. Responses of S3 are flat enough for regular expressions. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, content] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return content?.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (match, decimal, hex, entity) => {
    if (entity) return ENTITIES[entity] ?? match;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** The contents of all elements with this name, in order. */
export const elementsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, content = ""]) => content);
