import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { APPROVES, scratch, stage, TESTS } from "./stage.ts";

/** A folder with a `node` that tells whose it is, and is the real one otherwise. */
function nodeOf(owner: string, folder: string): string {
	mkdirSync(folder, { recursive: true });
	const file = join(folder, "node");
	writeFileSync(
		file,
		`#!/bin/sh\n[ "$1" = --whose ] && { echo ${owner}; exit; }\nexec "${process.execPath}" "$@"\n`,
	);
	chmodSync(file, 0o755);
	return folder;
}

thorough(
	"setup, checks and agents see the project's Node, not the one that Sparring was started with",
	async () => {
		const whose = (name: string): string => `node --whose >> "${USER_HOME}/${name}"`;
		const set = stage({
			steps: [{ role: "player", run: `${whose("agent")}; echo 1 > work.txt` }, APPROVES],
			workflow: {
				setup: [whose("setup")],
				checks: { tests: { ...TESTS, run: `${whose("check")}; ${TESTS.run}` } },
			},
		});
		const { home, env } = set.repo;
		const PATH = [
			nodeOf("npm", join(home, "sparring/node_modules/.bin")),
			nodeOf("yarn1", join(home, "yarn--1795382397214-0.4854")),
			nodeOf("yarn4", join(home, "xfs-fb495d2d")),
			nodeOf("project", join(home, "versions/v20/bin")),
			env["PATH"],
		].join(delimiter);
		const { code, stderr } = await set.spar(["run"], { env: { PATH } });
		expect(code, stderr).toBe(0);
		for (const name of ["setup", "check", "agent"]) {
			expect([name, ...new Set(set.kept(name).trim().split("\n"))]).toEqual([name, "project"]);
		}
		const first = execFileSync("node", ["--whose"], { env: { PATH }, encoding: "utf8" });
		expect(first.trim()).toBe("npm");
	},
);

test("the guide's script starts spar on its own Node and leaves the PATH alone", () => {
	const guide = readFileSync(
		join(import.meta.dirname, "../../docs/user-guide/getting-started.md"),
		"utf8",
	);
	const [block = ""] = /^npm install --prefix[^`]*/m.exec(guide) ?? [];
	const { home } = scratch();
	const main = join(home, ".local/share/sparring/node_modules/sparring/dist/cli/main.js");
	mkdirSync(join(main, ".."), { recursive: true });
	writeFileSync(
		main,
		'console.log(process.execPath, process.env.PATH, process.argv.slice(2).join("|"));',
	);
	const usual = "/usr/bin:/bin";
	const own = `${join(process.execPath, "..")}:${usual}`;
	const commands = block.split("\n").slice(1).join("\n");
	execFileSync("sh", ["-ec", commands], { env: { HOME: home, PATH: own } });
	const PATH = `${nodeOf("project", join(home, "versions/v20/bin"))}:${usual}`;
	const script = join(home, ".local/bin/spar");
	const said = execFileSync(script, ["run", "a b"], { env: { PATH }, encoding: "utf8" });
	expect(said).toBe(`${process.execPath} ${PATH} run|a b\n`);
});
