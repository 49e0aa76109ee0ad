// Tries what the README has a newcomer run: each npm script that it names, as the first command in an empty clone.
//
//   node scripts/first-commands.ts [CHECKOUT] [--node 24]
//
// With --node it has npm bring that Node.js, and tries the installation alone under it: `npm run first-contact`.
// Clones what is committed, once for each script, and runs there what the host runs: its Node.js, its npm, with npm's
// cache and settings, and a home that is thrown away. Ends with 1 at the first command that fails, and names it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: { node: { type: "string" } },
});
const checkout = positionals[0] ?? join(import.meta.dirname, "..");

/** The first command of .ci/run, in the empty clone that CI has: two minutes are not spent twice. */
const TRIED_ELSEWHERE = "test";

const INSTALLATION = "install-spar";

/** What has to work after a script, in the same clone. */
const AFTERWARDS: ReadonlyMap<string, readonly string[]> = new Map([
	[
		INSTALLATION,
		[
			'test "$(command -v spar)" = ~/.local/bin/spar',
			"spar --version",
			"npm run uninstall-spar",
			"test ! -e ~/.local/bin/spar",
		],
	],
]);

/** Names of the npm scripts in a text. */
function scriptsIn(text: string): ReadonlySet<string> {
	const named = text.matchAll(/\bnpm\s+(?:run\s+(?:-\S+\s+)*([\w:-]+)|(test|start)\b)/g);
	return new Set([...named].map(([, script, own = ""]) => script ?? own));
}

/** The folder of a Node.js that npm has brought. */
function nodeFolder(version: string): string {
	const args = [
		"exec",
		"--yes",
		`--package=node@${version}`,
		"--",
		"node",
		"-p",
		"process.execPath",
	];
	const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8", cwd: tmpdir() });
	if (status !== 0) throw new Error(`npm does not bring Node.js ${version}: ${stderr}`);
	return dirname(stdout.trim());
}

const folders = [
	...(values.node === undefined ? [] : [nodeFolder(values.node)]),
	...(process.env["PATH"] ?? "").split(delimiter),
];
const FOREIGN = /^(?:GIT|SPAR|XDG)_|^NODE_OPTIONS$/;

/** The host's environment, without what our own tools put before its programs. */
const host = {
	...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))),
	PATH: folders
		.filter((folder, at) => !folder.endsWith("node_modules/.bin") || (at === 0 && values.node))
		.join(delimiter),
};

const npmSetting = (name: string): string =>
	spawnSync("npm", ["config", "get", name], { env: host, encoding: "utf8" }).stdout.trim();

const npm = {
	npm_config_cache: npmSetting("cache"),
	npm_config_userconfig: npmSetting("userconfig"),
};

const newcomer = (home: string): NodeJS.ProcessEnv => ({
	...host,
	...npm,
	HOME: home,
	TMPDIR: join(home, "tmp"),
	PATH: [join(home, ".local/bin"), host.PATH].join(delimiter),
	npm_config_prefix: join(home, ".npm-global"),
});

/** Runs a line as a shell of its own would, and says whether it succeeded. */
function succeeds(line: string, cwd: string, env: NodeJS.ProcessEnv): boolean {
	const began = Date.now();
	process.stdout.write(`\n$ ${line}\n`);
	const { status, signal } = spawnSync("sh", ["-c", line], { cwd, env, stdio: "inherit" });
	const seconds = Math.round((Date.now() - began) / 1_000);
	if (status !== 0)
		process.stderr.write(
			`first-commands: "${line}" failed with ${signal ?? `exit code ${status}`} in an empty clone.\n`,
		);
	else process.stdout.write(`first-commands: "${line}" took ${seconds} s\n`);
	return status === 0;
}

function tryAsFirst(script: string, folder: string): boolean {
	const home = join(folder, script, "home");
	const clone = join(folder, script, "it's a clone");
	mkdirSync(join(home, "tmp"), { recursive: true });
	const { status } = spawnSync("git", ["clone", "--quiet", checkout, clone], { stdio: "inherit" });
	if (status !== 0) return false;
	const lines = [`npm run ${script}`, ...(AFTERWARDS.get(script) ?? [])];
	return lines.every((line) => succeeds(line, clone, newcomer(home)));
}

const scripts = [...scriptsIn(readFileSync(join(checkout, "README.md"), "utf8"))];
const folder = mkdtempSync(join(tmpdir(), "spar first "));
try {
	const isTried = (script: string): boolean =>
		values.node === undefined ? script !== TRIED_ELSEWHERE : script === INSTALLATION;
	const tried = scripts.filter(isTried);
	if (!tried.every((script) => tryAsFirst(script, folder))) process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
