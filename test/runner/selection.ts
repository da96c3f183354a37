import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Which files a run executes, on which engines, and which of them need a PostgreSQL. */

/** What `npm test` runs; `npm run test:all` runs every test file. A file belongs to the fast tier by its folder alone. */
const FAST = ["src/**/*.test.ts", "test/*.test.ts", "test/{properties,soak,stories}/**/*.test.ts"];
const ALL = ["src/**/*.test.ts", "test/**/*.test.ts"];

/** Stories in these folders run on each engine of the run if they use its database; everything else runs once. */
const STORIES = /^test\/(stories|scenarios|versions)\//;
const USES_DATABASE = /support\/(world|procedure|engines)\.ts"/;

/** A schema in the PostgreSQL that the tests share, whatever engine the story runs on. */
const USES_POSTGRES = /\bopenSchema\(\)/;

export const ENGINES = ["sqlite", "postgres"] as const;
export type Engine = (typeof ENGINES)[number];

/** With parts of paths, the files whose path contains one of them, whatever their tier. */
export function selectFiles(isAll: boolean, parts: readonly string[]): readonly string[] {
  const files = globSync(isAll || parts.length > 0 ? ALL : FAST).map((file) => file.replaceAll("\\", "/"));
  return files.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part))).toSorted();
}

export const isStory = (file: string): boolean => STORIES.test(file) && USES_DATABASE.test(textOf(file));

/** Whether the file, or something below `test/` that it imports, opens a schema in the shared PostgreSQL. */
export const needsPostgres = (file: string): boolean =>
  isReached(
    file,
    (path) => USES_POSTGRES.test(textOf(path)),
    (path) => path.startsWith("test/"),
  );

/** Whether a test file imports a source, directly or through others. */
export const loads = (file: string, source: string): boolean =>
  isReached(
    file,
    (path) => path === source,
    () => true,
  );

/** Looks at a file and at everything that it imports, as far as `follows` allows. */
function isReached(
  file: string,
  isWanted: (path: string) => boolean,
  follows: (path: string) => boolean,
  seen = new Set<string>(),
): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  if (isWanted(file)) return true;
  return importsOf(file).some((path) => follows(path) && isReached(path, isWanted, follows, seen));
}

const texts = new Map<string, string>();
function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(file, "utf8");
  texts.set(file, known);
  return known;
}

/** A program that a test writes as a text may import what is elsewhere, or nowhere. */
const importsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/(?:from|import\()\s*"(\.[^"]+\.ts)"/g)]
    .map(([, path]) => join(dirname(file), path!).replaceAll("\\", "/"))
    .filter((path) => existsSync(path));
