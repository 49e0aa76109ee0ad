import { spawn, spawnSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";

/** Stands in for npm: notes its arguments, waits for the gate if there is one, and installs a Node.js. */
const FAKE_NPM = `#!/bin/sh
echo "$@" >> calls.txt
if [ -n "$GATE" ]; then read line < "$GATE"; fi
if [ -n "$NPM_EXIT" ]; then echo "no network" >&2; exit "$NPM_EXIT"; fi
echo "progress on stdout"
rm -rf node_modules
mkdir -p node_modules/.bin
if [ -z "$WITHOUT_NODE" ]; then ln -s "$REAL_NODE" node_modules/.bin/node; fi
printf '#!/bin/sh\\necho "the tool of this project"\\n' > node_modules/.bin/tool
chmod +x node_modules/.bin/tool
cp package-lock.json node_modules/.package-lock.json
`;

interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

const roots: string[] = [];

afterEach(() => {
	for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function lockFile(version: string): string {
	return JSON.stringify({ packages: { "": {}, "node_modules/a": { version } } });
}

/** The list that npm keeps inside node_modules: the lock file without the project itself. */
function installedList(version: string): string {
	return JSON.stringify({ packages: { "node_modules/a": { version } } });
}

function project(): string {
	const root = mkdtempSync(join(tmpdir(), "spar bootstrap-"));
	roots.push(root);
	mkdirSync(join(root, "scripts"));
	mkdirSync(join(root, "fake"));
	copyFileSync("scripts/bootstrap.mjs", join(root, "scripts", "bootstrap.mjs"));
	writeFileSync(join(root, "fake", "npm"), FAKE_NPM);
	chmodSync(join(root, "fake", "npm"), 0o755);
	writeFileSync(join(root, "package-lock.json"), lockFile("1.0.0"));
	return root;
}

function start(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
	const child = spawn(process.execPath, [join(root, "scripts", "bootstrap.mjs"), ...args], {
		cwd: tmpdir(),
		env: {
			...process.env,
			PATH: `${join(root, "fake")}:${process.env["PATH"]}`,
			REAL_NODE: process.execPath,
			...env,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const text = { stdout: "", stderr: "" };
	const waiting = new Set<() => void>();
	for (const name of ["stdout", "stderr"] as const) {
		child[name].setEncoding("utf8").on("data", (chunk: string) => {
			text[name] += chunk;
			for (const look of waiting) look();
		});
	}
	const said = (part: string): Promise<void> =>
		new Promise((resolve) => {
			const look = (): void => {
				if ((text.stdout + text.stderr).includes(part)) resolve();
			};
			waiting.add(look);
			look();
		});
	const ended = new Promise<Ended>((resolve) => {
		child.once("close", (code, signal) => resolve({ code, signal, ...text }));
	});
	return { child, said, ended };
}

const run = (...call: Parameters<typeof start>): Promise<Ended> => start(...call).ended;
/** Whole lines only: a shell creates the file before it writes to it. */
const installs = (root: string): number => {
	const calls = join(root, "calls.txt");
	return existsSync(calls) ? readFileSync(calls, "utf8").split("\n").length - 1 : 0;
};
function gate(root: string): string {
	const path = join(root, "gate");
	expect(spawnSync("mkfifo", [path]).status).toBe(0);
	return path;
}

test("a fresh clone is installed, with a word on stderr, and then the command runs", async () => {
	const root = project();
	const { code, stdout, stderr } = await run(root, ["tool"]);
	expect({ code, stdout }).toEqual({ code: 0, stdout: "the tool of this project\n" });
	expect(stderr).toContain("bootstrap: node_modules is missing; running npm ci");
	expect(readFileSync(join(root, "calls.txt"), "utf8")).toMatch(/^ci --include=dev /);
});

test("an installed project stays quiet and calls npm no more, whatever the file times say", async () => {
	const root = project();
	await run(root, []);
	const later = new Date(Date.now() + 60_000);
	utimesSync(join(root, "package-lock.json"), later, later);
	const { code, stderr } = await run(root, ["node", "-e", "process.exit(0)"]);
	expect({ code, stderr, installs: installs(root) }).toEqual({ code: 0, stderr: "", installs: 1 });
});

test("a changed lock file is installed again", async () => {
	const root = project();
	await run(root, []);
	writeFileSync(join(root, "package-lock.json"), lockFile("2.0.0"));
	const { stderr } = await run(root, []);
	expect(stderr).toContain("node_modules does not match package-lock.json");
	expect(installs(root)).toBe(2);
});

test("what a plain npm ci installed is taken as it is, unless a package differs", async () => {
	const root = project();
	mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
	symlinkSync(process.execPath, join(root, "node_modules", ".bin", "node"));
	const list = join(root, "node_modules", ".package-lock.json");
	writeFileSync(list, installedList("1.0.0"));
	expect((await run(root, [])).stderr).toBe("");
	rmSync(join(root, "node_modules", ".bootstrap-stamp"));
	writeFileSync(list, installedList("0.9.0"));
	await run(root, []);
	expect(installs(root)).toBe(1);
});

test("the command's exit code is passed on, and its arguments arrive as they are", async () => {
	const root = project();
	const script = "console.log(JSON.stringify(process.argv.slice(1))); process.exit(7)";
	const result = await run(root, ["node", "-e", script, "a b", '"', "--x=$HOME"]);
	expect(result.code).toBe(7);
	expect(JSON.parse(result.stdout)).toEqual(["a b", '"', "--x=$HOME"]);
});

test("a failed npm ci ends with what to do, and the next call tries again", async () => {
	const root = project();
	const failed = await run(root, ["tool"], { NPM_EXIT: "3" });
	expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: "" });
	expect(failed.stderr).toContain("no network");
	expect(failed.stderr).toContain("npm ci failed with exit code 3");
	expect(failed.stderr).toContain("run the same command again");
	expect((await run(root, ["tool"])).code).toBe(0);
});

test("an installation without Node.js is refused with the setting that causes it", async () => {
	const root = project();
	const { code, stderr } = await run(root, ["tool"], { WITHOUT_NODE: "1" });
	expect(code).toBe(1);
	expect(stderr).toContain("npm config set ignore-scripts false");
});

test("a missing lock file or npm is named without a stack", async () => {
	const root = project();
	const without = await run(root, [], { PATH: join(root, "scripts") });
	expect(without.stderr).toContain("npm could not be started");
	rmSync(join(root, "package-lock.json"));
	const { code, stderr } = await run(root, []);
	expect(code).toBe(1);
	expect(stderr).toContain(`bootstrap: package-lock.json is missing in ${root}`);
	expect(without.stderr + stderr).not.toContain("    at ");
});

test("a command that does not exist ends with 127 and its name", async () => {
	const root = project();
	const { code, stderr } = await run(root, ["no-such-tool"]);
	expect(code).toBe(127);
	expect(stderr).toContain("cannot start no-such-tool");
});

test("two at once install once", async () => {
	const root = project();
	const path = gate(root);
	const first = start(root, ["tool"], { GATE: path });
	await first.said("running npm ci");
	const second = start(root, ["tool"], { GATE: path });
	await second.said("bootstrap: waiting: process");
	writeFileSync(path, "go\n");
	const results = await Promise.all([first.ended, second.ended]);
	expect(results.map(({ code }) => code)).toEqual([0, 0]);
	expect(installs(root)).toBe(1);
	expect(existsSync(join(root, ".bootstrap.lock"))).toBe(false);
});

test("the lock of a process that has ended is taken over", async () => {
	const root = project();
	const { pid } = spawnSync("true");
	writeFileSync(join(root, ".bootstrap.lock"), `${pid} ${hostname()}`);
	expect((await run(root, ["tool"])).code).toBe(0);
});

test("a lock of another machine is taken over once nobody has touched it for a minute", async () => {
	const root = project();
	const lock = join(root, ".bootstrap.lock");
	writeFileSync(lock, "1 another-machine");
	const waiting = start(root, ["tool"]);
	await waiting.said("waiting: process 1 another-machine");
	const past = new Date(Date.now() - 61_000);
	utimesSync(lock, past, past);
	expect((await waiting.ended).code).toBe(0);
});

test("a signal reaches the command, whose own answer counts", async () => {
	const root = project();
	const script =
		"process.on('SIGTERM', () => process.exit(9)); console.log('up'); setInterval(String, 1e6)";
	for (const [signal, end] of [
		["SIGTERM", { code: 9, signal: null }],
		["SIGINT", { code: null, signal: "SIGINT" }],
	] as const) {
		const { child, said, ended } = start(root, ["node", "-e", script]);
		await said("up");
		child.kill(signal);
		expect(await ended).toMatchObject(end);
	}
});

test("a signal during the installation ends it and leaves nothing that looks whole", async () => {
	const root = project();
	const first = start(root, ["tool"], { GATE: gate(root) });
	await first.said("running npm ci");
	await waitUntil("npm was called", () => installs(root) > 0);
	first.child.kill("SIGTERM");
	expect(await first.ended).toMatchObject({ signal: "SIGTERM", stdout: "" });
	expect(existsSync(join(root, ".bootstrap.lock"))).toBe(false);
	expect((await run(root, ["tool"])).code).toBe(0);
	expect(installs(root)).toBe(2);
});
