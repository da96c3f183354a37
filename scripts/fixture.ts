// `npm run fixture -- DATA_DIR`: writes the rows of a small registry on SQLite to test/fixtures, named by the version of its schema.
// Run it before a change of the schema: tests then migrate the rows, on both databases, with all later versions.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";

const HELP = `npm run fixture -- DATA_DIR

Make a small registry first, and stop its server:

    DATA_DIR=/tmp/fixture PORT=8099 npm start
    npx --no-install tenderhall demo --tenders 12 --url http://127.0.0.1:8099
`;

const [dataDir] = process.argv.slice(2);
if (!dataDir) {
  process.stderr.write(HELP);
  process.exit(1);
}
const db = new DatabaseSync(join(dataDir, "tenderhall.sqlite"), { readOnly: true });
const { user_version: version } = db.prepare("pragma user_version").get() as { user_version: number };
const tables = db
  .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
  .all() as { name: string }[];
// Secrets are not needed, and entries of the key-value store are in the rows of their table.
const lines = tables
  .filter(({ name }) => name !== "secrets")
  .flatMap(({ name }) =>
    db
      .prepare(`select * from "${name}"`)
      .all()
      .map((row) => JSON.stringify({ table: name, row })),
  );
const file = `test/fixtures/schema-${version}.jsonl.gz`;
mkdirSync("test/fixtures", { recursive: true });
writeFileSync(file, gzipSync(lines.map((line) => `${line}\n`).join(""), { level: 9 }));
console.log(`${file}: ${lines.length} rows of ${tables.length} tables`);
