// Writes the project with which an operator installs the packed file: a package.json that depends only on the packed file, and a
// package-lock.json with the hash of every dependency. npm ignores a lock file inside a packed file, so operators extract it
// first: docs/operations.md#deploying
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Package = { readonly dev?: boolean; readonly devOptional?: boolean; readonly integrity?: string };
type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly bin: object;
  readonly dependencies: object;
  readonly optionalDependencies: object;
};

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** Writes package.json and package-lock.json to the folder. Throws if package-lock.json lacks the hash of a dependency. */
export function writeInstallProject(folder: string): void {
  const { name, version, license, bin, dependencies, optionalDependencies } = read("package.json") as Manifest;
  const { packages } = read("package-lock.json") as { readonly packages: { readonly [path: string]: Package } };
  const packed = `file:${name}-${version}.tgz`;
  const project = { name: `${name}-installation`, private: true, dependencies: { [name]: packed } };
  const installedPackages = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
  );
  const unpinned = installedPackages.filter(([, { integrity }]) => !integrity).map(([path]) => path);
  if (unpinned.length > 0) throw new Error(`package-lock.json has no hash of ${unpinned.join(", ")}`);
  const ownEntry = { version, resolved: packed, license, dependencies, bin, optionalDependencies };
  const lock = {
    name: project.name,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: project.name, dependencies: project.dependencies },
      ...Object.fromEntries(installedPackages),
      [`node_modules/${name}`]: ownEntry,
    },
  };
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries({ "package.json": project, "package-lock.json": lock }))
    writeFileSync(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
}
