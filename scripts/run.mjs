// Runs a file of this project with the Node that package.json asks for, whatever Node the machine has.
// Installs first what package-lock.json names and node_modules lacks. Plain JavaScript that old Nodes understand.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".installed");
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

installWhatIsMissing();
run(process.argv.slice(2));

function installWhatIsMissing() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(node) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("Installing what is missing (once) ...\n");
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  const done = spawnSync(command, [...args, "ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) {
    process.stderr.write("The installation failed; the lines above say why.\n");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

function run(args) {
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
