// `npm run mutants -- --count 100 --seed 1`: changes one operator at a time in src/domain, in a copy of the project, and
// looks whether the tests of `npm test` notice.
import { parseArgs } from "node:util";
import { type Mutant, pickMutants } from "./mutants/mutants.ts";
import { copyProject, openProject, type Project, type Verdict } from "./mutants/project.ts";

const HELP = `npm run mutants -- [--count 20] [--seed 1] [--parallel 2] [--only part-of-a-path]

Changes one operator, negation or boolean in src/domain, runs the tests of npm test that load the changed file, and
prints the changes that no test noticed. A change that does not type-check is replaced by the next one. The same count
and seed choose the same changes of the same sources. The checkout itself is never changed.
`;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    parallel: { type: "string", default: "2" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await tryMutants(Number(values.count), Number(values.seed), Number(values.parallel));

async function tryMutants(count: number, seed: number, parallel: number): Promise<void> {
  process.chdir(copyProject().folder);
  const candidates = pickMutants(seed, values.only);
  const wanted = Math.min(count, candidates.length);
  console.log(`${candidates.length} places; ${wanted} of them, seed ${seed}, ${parallel} at a time`);
  const first = await openProject();
  await first.checkUnchanged();
  const survivors: Mutant[] = [];
  let [next, tried, inFlight] = [0, 0, 0];

  /** Takes candidates in their order and no more than needed, so that the choice does not depend on who is faster. */
  async function work(project: Project): Promise<void> {
    try {
      while (next < candidates.length && tried + inFlight < wanted) {
        const mutant = candidates[next++]!;
        inFlight += 1;
        const verdict = await project.judge(mutant);
        inFlight -= 1;
        if (verdict.kind === "not a change") continue;
        tried += 1;
        if (verdict.kind === "survived") survivors.push(mutant);
        console.log(`${tried}/${wanted} ${described(mutant)}: ${formatVerdict(verdict)}`);
      }
    } finally {
      project.remove();
    }
  }

  const others = Array.from({ length: parallel - 1 }, openProject);
  await Promise.all([first, ...others].map(async (project) => work(await project)));
  if (survivors.length > 0) console.log("\nNot noticed:");
  for (const mutant of survivors) console.log(`${described(mutant)}\n    ${mutant.line}`);
  console.log(`\nkilled ${tried - survivors.length} of ${tried}`);
}

function described({ file, row, column, text, replacement }: Mutant): string {
  return `${file}:${row}:${column} ${text} → ${replacement || "(removed)"}`;
}

function formatVerdict(verdict: Verdict): string {
  return verdict.kind === "killed" ? `killed by ${verdict.by}` : verdict.kind.toUpperCase();
}
