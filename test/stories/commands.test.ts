import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { COMMANDS, GROUPS } from "../../src/cli/commands.ts";
import { commandReference } from "../../src/cli/reference.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { allOptionsOf } from "../../src/cli/usage.ts";
import { assertSucceeded, runCommand } from "../support/commands.ts";
import { TIMEOUT_MS } from "../support/processes.ts";
import { missingPrograms } from "../support/programs.ts";

/** The command line: its help, its errors and its completion. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-commands-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => runCli(args, { DATA_DIR: join(folder, "none") });

describe("help", () => {
  it("lists every command", async () => {
    const { out, code } = await run("help");
    assert.equal(code, 0);
    for (const { name } of COMMANDS) assert.match(out, new RegExp(`^ {2}${name}\\b`, "m"));
    assert.equal((await run("--help")).out, out);
    assert.equal((await run("-h")).out, out);
  });

  it("for a command names every option and has an example", async () => {
    for (const command of COMMANDS) {
      const words = command.name.split(" ");
      const { out, code } = await run("help", ...words);
      assert.equal(code, 0);
      for (const option of Object.keys(allOptionsOf(command)))
        assert.match(out, new RegExp(`^ {2}--${option}\\b`, "m"));
      assert.match(out, /Examples:\n\n {2}\S.*\n {4}\S*.*tenderhall/, command.name);
      assert.equal((await run(...words, "--help")).out, out);
    }
  });

  it("lists the possible values of an option", async () => {
    for (const [name, words] of [
      [["serve"], "--mode MODE +.*sandbox, production"],
      [["tender", "list"], "--mode MODE +.*real, test, all"],
      [["sync"], "--mode MODE +.*real, test, all"],
      [["account", "add"], "--group GROUP +.*brokers, "],
    ] as const)
      assert.match((await run("help", ...name)).out.replaceAll(/\n {20,}/g, " "), new RegExp(words));
  });

  it("for a command group covers all its commands", async () => {
    const { out } = await run("account", "--help");
    for (const name of ["add", "list", "revoke", "add-key", "keys", "retire-key"])
      assert.match(out, new RegExp(`npx --no-install tenderhall account ${name}`));
    assert.equal((await run("help", "account")).out, out);
  });

  it("is no wider than a terminal", async () => {
    const { out } = await run("help");
    for (const line of out.split("\n")) assert.ok(line.length <= 112, line);
  });

  it("is also available as a table for programs", async () => {
    const table = JSON.parse((await run("help", "--json")).out);
    assert.deepEqual(
      table.map(({ name }: { name: string }) => name),
      COMMANDS.map(({ name }) => name),
    );
  });

  it("is the same as docs/commands.md", () => {
    assert.equal(readFileSync("docs/commands.md", "utf8"), commandReference(GROUPS));
  });
});

describe("a command", () => {
  it("that does not exist gets the nearest one as a suggestion", async () => {
    const near: readonly (readonly [readonly string[], RegExp])[] = [
      [["snyc"], /unknown command snyc; did you mean sync\?/],
      [["docter"], /did you mean doctor\?/],
      [["tender", "lst"], /did you mean tender list\?/],
      [["help", "verfy"], /did you mean verify\?/],
      [["verify", "--no-file"], /verify has no option --no-file; did you mean --no-files\?/],
      [["qqqqqqqq"], /unknown command qqqqqqqq; the commands are: serve, /],
    ];
    for (const [args, suggestion] of near) {
      const { code, out, err } = await run(...args);
      assert.equal(code, 2, args.join(" "));
      assert.equal(out, "");
      assert.match(err, suggestion);
    }
  });

  it("with invalid arguments exits with 2, and prints the reason and where to find the usage", async () => {
    const wrong = [
      ["account", "add"],
      ["account", "add", "a", "b"],
      ["account", "add", "a", "--group", "kings"],
      ["account", "add", "a", "--levels", "99"],
      ["account", "add", "a", "--levels", ""],
      ["account", "add", "a"],
      ["account", "add", "a", "--group", "auction", "--levels", "12"],
      ["account", "add-key"],
      ["account", "retire-key", "a"],
      ["account", "add", "bad name!"],
      ["serve", "--log", "loud"],
      ["account", "revoke"],
      ["clock", "advance", "x"],
      ["clock", "advance", "x", "--next", "--by", "1"],
      ["completion", "fish"],
      ["serve", "now"],
      ["sync"],
      ["tender", "list", "--limit", "0"],
      ["tender", "list", "--mode", "loud"],
      ["tender", "show", "x", "--raw", "--url", "http://127.0.0.1:1"],
    ];
    for (const args of wrong) {
      const { code, out, err } = await run(...args);
      assert.equal(code, 2, args.join(" "));
      assert.equal(out, "");
      assert.match(err, /^[^\n]+\nFor usage, run: npx --no-install tenderhall help [a-z]+( [a-z-]+)?\n$/);
    }
  });

  it("that is missing prints the help to standard error", async () => {
    const { code, out, err } = await run();
    assert.deepEqual([code, out], [2, ""]);
    assert.equal(err, (await run("help")).out);
  });

  it("with a file that does not exist says so", async () => {
    for (const args of [
      ["import", "nofile"],
      ["tender", "replace", "x", "--from", "nofile", "--reason", "why"],
    ]) {
      const { code, err } = await run(...args);
      assert.deepEqual([code, err], [1, "nofile does not exist\n"], args.join(" "));
    }
  });

  it("that fails exits with 1 and says why", { timeout: 60_000 }, async () => {
    const { code, err } = await run("clock", "new", "--url", "http://127.0.0.1:9");
    assert.equal(code, 1);
    assert.match(err, /^http:\/\/127\.0\.0\.1:9 does not respond: .+\n$/);
    assert.equal((await run("verify")).code, 1);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    assert.equal(assertSucceeded(await runCommand(["--version"])).out, `${version}\n`);
  });
});

/** The completions of a real shell for a line whose last word is being typed. */
function offered(shell: "bash" | "zsh", line: readonly string[]): Promise<readonly string[]> {
  const script = join(folder, `completion.${shell}`);
  const quoted = line.map((word) => `'${word}'`).join(" ");
  const ask =
    shell === "bash"
      ? `source '${script}'; COMP_WORDS=(tenderhall ${quoted}); COMP_CWORD=${line.length}; _tenderhall; printf '%s\\n' "\${COMPREPLY[@]}"`
      : `compdef() {}; compadd() { shift; for one in "$@"; do [[ $one == \${typed}* ]] && print -r -- $one; done; true }; ` +
        `_files() { print -r -- FILES }; source '${script}'; words=(tenderhall ${quoted}); CURRENT=${line.length + 1}; _tenderhall`;
  return new Promise((resolve, reject) =>
    execFile(shell, shell === "bash" ? ["-uc", ask] : ["-fc", ask], { cwd: folder }, (error, out, err) =>
      error ? reject(new Error(err)) : resolve(out.split("\n").filter((word) => word !== "")),
    ),
  );
}

/** The result of pressing keys at the prompt of zsh, including tabs. */
function typed(keys: string): Promise<string> {
  const driver = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1=; cd '${folder}'; autoload -U compinit; compinit -u -D; source completion.zsh"
    zpty -w shell "tenderhall() { print -r -- GOT'<'\\$*'>' }; print -r READ'Y'"
    zpty -r -m shell seen '*READY*'
    zpty -w shell "$KEYS"
    zpty -r -m shell seen '*GOT<*>*'
    print -r -- "$seen"
    zpty -d shell`;
  const options = { cwd: folder, env: { ...process.env, KEYS: keys, TERM: "dumb" }, timeout: TIMEOUT_MS };
  return new Promise((resolve, reject) =>
    execFile("zsh", ["-fc", driver], options, (error, out, err) => (error ? reject(new Error(err)) : resolve(out))),
  );
}

for (const shell of ["bash", "zsh"] as const) {
  describe(`completion in ${shell}`, { skip: missingPrograms(shell) }, () => {
    it("offers commands, subcommands, options and their values", async () => {
      writeFileSync(join(folder, `completion.${shell}`), assertSucceeded(await runCommand(["completion", shell])).out);
      writeFileSync(join(folder, "accounts.json"), "[]");
      const sets: readonly (readonly [readonly string[], readonly string[]])[] = [
        [["sy"], ["sync"]],
        [["acc"], ["account"]],
        [
          ["account", ""],
          ["add", "list", "revoke", "add-key", "keys", "retire-key"],
        ],
        [["tender", "sh"], ["show"]],
        [["tender", "show", "--r"], ["--raw"]],
        [["tender", "--raw", "show", "--r"], ["--raw"]],
        [["sync", "--f"], ["--follow"]],
        [
          ["completion", ""],
          ["bash", "zsh"],
        ],
        [["account", "add", "x", "--group", "bro"], ["brokers"]],
        [
          ["serve", "--mode", ""],
          ["sandbox", "production"],
        ],
        [
          ["tender", "list", "--mode", ""],
          ["real", "test", "all"],
        ],
        [
          ["tender", "list", "--status", "active.a"],
          ["active.auction", "active.awarded"],
        ],
        [["help", "doc"], ["doctor"]],
        [["--v"], ["--version"]],
        [["sync", "dir", "--url", "x"], []],
      ];
      for (const [line, expected] of sets) assert.deepEqual(await offered(shell, line), expected, line.join(" "));
      if (shell === "bash")
        assert.deepEqual(await offered(shell, ["account", "list", "--file", "acc"]), ["accounts.json"]);
    });

    it("completes the typed prefix", { skip: shell === "bash" && "of zsh, whose own ways it takes" }, async () => {
      writeFileSync(join(folder, "completion.zsh"), assertSucceeded(await runCommand(["completion", "zsh"])).out);
      assert.match(await typed("tenderhall acc\tl\t--f\tacc\t"), /GOT<account list --file accounts\.json>/);
      assert.match(await typed("tenderhall serve --mode pro\t"), /GOT<serve --mode production>/);
    });

    it("knows every command and every option", async () => {
      const firsts = new Set(COMMANDS.map(({ name }) => name.split(" ")[0]!));
      const commands = await offered(shell, [""]);
      for (const first of firsts) assert.ok(commands.includes(first), first);
      for (const command of COMMANDS) {
        const options = await offered(shell, [...command.name.split(" "), "--"]);
        const expected = Object.keys(allOptionsOf(command)).map((name) => `--${name}`);
        assert.deepEqual(options, expected, command.name);
      }
    });
  });
}
