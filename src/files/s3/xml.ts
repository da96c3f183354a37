const ENTITIES: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** The text of the first element of that name. Answers of S3 are flat enough for it. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, inside] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return inside?.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (match, decimal, hex, entity) => {
    if (entity) return ENTITIES[entity] ?? match;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

export const elementsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, inside]) => inside!);
