import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { OLD_NODE } from "../support/old-node.ts";
import { PROGRAM } from "../support/program.ts";
import { USER_HOME } from "../support/user-home.ts";
import { APPROVES, scratch, stage, TESTS } from "./stage.ts";

const root = join(import.meta.dirname, "../..");

function writeProgram(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
	chmodSync(file, 0o755);
}

/** Stands in for npm: notes its arguments, and installs the Node.js of this test. */
const FAKE_NPM = `#!/bin/sh
echo "$@" >> "$HOME/npm.txt"
[ -z "$NPM_EXIT" ] || exit "$NPM_EXIT"
name=\${4%@*}
mkdir -p "$3/node_modules/.bin" "$3/node_modules/$name"
echo "{ \\"version\\": \\"\${4##*@}\\" }" > "$3/node_modules/$name/package.json"
ln -s "$OWN_NODE" "$3/node_modules/.bin/node"
`;

/** A host whose Node.js is too old: a real one where this machine has it, else one that says so. */
function host() {
	const { home } = scratch();
	writeProgram(join(home, "bin/npm"), FAKE_NPM);
	const old =
		"Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}});";
	const terminal = "process.stdin.isTTY=process.stderr.isTTY=true;";
	const start = (args: readonly string[], typed: string | null = null, env = {}) => {
		const said = (OLD_NODE === null ? old : "") + (typed === null ? "" : terminal);
		return spawnSync(
			OLD_NODE ?? process.execPath,
			["--import", `data:text/javascript,${said}`, PROGRAM, ...args],
			{
				encoding: "utf8",
				input: typed ?? "",
				env: {
					HOME: home,
					PATH: `${join(home, "bin")}:/usr/bin:/bin`,
					OWN_NODE: process.execPath,
					...env,
				},
			},
		);
	};
	const npm = (): string =>
		existsSync(join(home, "npm.txt")) ? readFileSync(join(home, "npm.txt"), "utf8") : "";
	return { home, start, npm };
}

const { devDependencies, version } = JSON.parse(
	readFileSync(join(root, "package.json"), "utf8"),
) as { devDependencies: { node: string }; version: string };

describe("on a Node.js that is too old", () => {
	test("spar without a terminal names the command that gives it one, installs nothing and exits 2", () => {
		const { home, start, npm } = host();
		const { status, stdout, stderr } = start(["status"]);
		expect([status, stdout, npm()]).toEqual([2, "", ""]);
		expect(stderr).toMatch(/^This is Node\.js \S+ \(.*\), and spar needs 24\.11 or newer\.$/m);
		const folder = join(home, ".local/share/sparring/node");
		expect(stderr).toContain(`  npm install --prefix ${folder} node-`);
		expect(stderr).toContain(`@${devDependencies.node}\n`);
		for (const way of ["nvm install", "fnm install", "volta install"])
			expect(stderr).toContain(way);
	});

	thorough(
		"spar at a terminal installs one when it may, and from then on starts on it without a word",
		() => {
			const { start, npm } = host();
			expect(start(["--version"], "n\n")).toMatchObject({ status: 2, stdout: "" });
			expect(npm()).toBe("");
			expect(start(["--version"], "y\n")).toMatchObject({ status: 0, stdout: `${version}\n` });
			expect(start(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
			expect(npm().trim().split("\n")).toHaveLength(1);
			expect(start(["no-such-command"])).toMatchObject({ status: 2 });
		},
	);

	thorough("an answer that does not come is no agreement", () => {
		const { start, npm } = host();
		expect(start(["--version"], "")).toMatchObject({ status: 2, stdout: "" });
		expect(npm()).toBe("");
	});

	thorough(
		"an installation that fails is told with its reason, and the next start asks again",
		() => {
			const { start } = host();
			const failed = start(["--version"], "\n", { NPM_EXIT: "7" });
			expect(failed.status).toBe(2);
			expect(failed.stderr).toContain("spar has no Node.js of its own: npm ended with 7.");
			const foreign = start(["--version"], "\n", { OWN_NODE: "/bin/false" });
			expect(foreign.stderr).toContain("does not run on this machine");
			expect(start(["--version"]).stderr).toContain("npm install --prefix");
		},
	);

	thorough("one of its own that has become too old is replaced by the same command", () => {
		const { home, start } = host();
		start(["--version"], "y\n");
		const kind = `node-${process.platform}-${process.arch}`;
		const own = join(home, ".local/share/sparring/node/node_modules", kind, "package.json");
		writeFileSync(own, '{ "version": "24.1.0" }');
		expect(start(["--version"])).toMatchObject({ status: 2, stdout: "" });
	});

	thorough(
		"a signal reaches the program, and its exit code is the one that the caller sees",
		() => {
			const { home, start } = host();
			const own = join(home, "own-node");
			writeProgram(
				own,
				`#!${process.execPath}
if (process.argv[2] === "--version") process.exit(0);
process.on("SIGTERM", () => process.exit(5));
setInterval(() => undefined, 1_000);
process.kill(process.ppid, "SIGTERM");
`,
			);
			expect(start(["run"], "y\n", { OWN_NODE: own })).toMatchObject({ status: 5, signal: null });
		},
	);
});

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
