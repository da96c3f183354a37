// `npm test`: every *.test.ts below src/ and test/, in one process; with arguments, only the files whose path contains one of them.
import { globSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const wanted = process.argv.slice(2);
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"]).filter(
  (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
);
if (files.length === 0) {
  console.error("No test file matches " + wanted.join(" "));
  process.exit(1);
}
run({ files, isolation: "none" })
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
