import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { claimCheckouts } from "../../places/checkouts-home.ts";
import { placesOf } from "../../places/places.ts";
import { findProgram } from "../../process/find-program.ts";
import type { DoctorLine, DoctorPlace } from "../../seats/doctor-line.ts";
import { diagnose } from "./diagnose.ts";

const containing = (text: string): unknown => expect.stringContaining(text);

/** A folder with nothing but git and a shell: no coding agent of this machine is started. */
let tools = "";
beforeAll(async () => {
	tools = await realpath(await mkdtemp(path.join(tmpdir(), "spar tools-")));
	for (const name of ["git", "sh"]) {
		const found = findProgram(name, process.env["PATH"] ?? "", "/");
		await symlink(found ?? name, path.join(tools, name));
	}
});
afterAll(async () => {
	await rm(tools, { recursive: true, force: true });
});

let folder = "";
let root = "";
beforeEach(async () => {
	folder = await realpath(await mkdtemp(path.join(tmpdir(), "spar doctor-")));
	root = path.join(folder, "repo");
	await mkdir(root);
});
afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

function git(...args: readonly string[]): void {
	const identity = [
		"-c",
		"user.name=a",
		"-c",
		"user.email=a@example.org",
		"-c",
		"commit.gpgsign=false",
	];
	execFileSync("git", ["-C", root, ...identity, ...args], { stdio: "ignore" });
}

async function repository(): Promise<void> {
	git("init", "-q", "-b", "main");
	await writeFile(path.join(root, "a.txt"), "a\n");
	git("add", "-A");
	git("commit", "-q", "-m", "first");
}

/** Starting a sandbox each time would take long; `doctor-sandbox.test.ts` starts one. */
const look = (place: DoctorPlace): Promise<readonly DoctorLine[]> =>
	diagnose(place, async () => ({ available: true, detail: "confined" }));

const environment = (more: Readonly<Record<string, string>> = {}) => ({
	PATH: tools,
	HOME: folder,
	...more,
});

async function lineOf(name: string, env = environment()): Promise<DoctorLine | undefined> {
	const lines = await look({ directory: root, env });
	return lines.find((line) => line.name === name);
}

thorough("a sound repository is ok in all that matters, and nothing is left behind", async () => {
	await repository();
	const lines = await look({ directory: root, env: environment() });
	expect(lines.filter(({ ok }) => ok === false)).toEqual([]);
	expect(lines.map(({ name }) => name)).toEqual([
		"node",
		"temporary files",
		"git",
		"repository",
		"checkouts",
		"state directory",
		"database",
		"state size",
		"checkouts size",
		"setup cache",
		"workflow",
		"agents",
		"leftover processes",
		"sandbox",
	]);
	expect(lines.find(({ name }) => name === "workflow")).toMatchObject({ ok: "warn" });
	expect((await readdir(root)).sort()).toEqual([".git", "a.txt"]);
	expect(await readdir(folder)).toEqual(["repo"]);
});

thorough("what is no repository, has no commits or is bare is said with the way out", async () => {
	expect(await lineOf("repository")).toMatchObject({
		ok: false,
		fix: containing("git init"),
	});
	git("init", "-q");
	expect(await lineOf("repository")).toMatchObject({
		ok: false,
		detail: containing("no commits"),
	});
	root = path.join(folder, "bare");
	execFileSync("git", ["init", "-q", "--bare", root]);
	expect(await lineOf("repository")).toMatchObject({
		ok: false,
		detail: containing("bare"),
	});
});

thorough("uncommitted changes and a detached HEAD are shown", async () => {
	await repository();
	await writeFile(path.join(root, "a.txt"), "b\n");
	git("checkout", "-q", "--detach");
	expect(await lineOf("uncommitted changes")).toMatchObject({ ok: "warn" });
	expect((await lineOf("repository"))?.detail).toContain("detached HEAD");
});

test("git that is missing is said", async () => {
	await repository();
	expect(await lineOf("git", environment({ PATH: "/nowhere" }))).toMatchObject({
		ok: false,
		fix: containing("Install git"),
	});
});

thorough("a sound database is ok, a broken one is not", async () => {
	await repository();
	await mkdir(path.join(root, ".sparring"));
	const file = path.join(root, ".sparring", "sparring.db");
	const database = new DatabaseSync(file);
	database.exec("CREATE TABLE a (b)");
	database.close();
	expect(await lineOf("database")).toMatchObject({ ok: true });
	await writeFile(file, "this is no database at all, but long enough to be looked at ".repeat(20));
	expect(await lineOf("database")).toMatchObject({ ok: false });
});

test("places that cannot be written are said", async () => {
	await repository();
	await writeFile(path.join(root, ".sparring"), "a file in the way");
	expect(await lineOf("state directory")).toMatchObject({ ok: false });
	await writeFile(path.join(folder, "file"), "in the way");
	const env = environment({ SPAR_CHECKOUTS: path.join(folder, "file") });
	expect(await lineOf("checkouts", env)).toMatchObject({
		ok: false,
		fix: containing("SPAR_CHECKOUTS"),
	});
});

thorough(
	"checkouts lie where SPAR_CHECKOUTS, XDG_STATE_HOME or the home directory say",
	async () => {
		const detail = async (more: Readonly<Record<string, string>>) =>
			(await lineOf("checkouts", environment(more)))?.detail;
		await repository();
		expect(await detail({ SPAR_CHECKOUTS: `${root}/c` })).toContain("inside the repository");
		expect(await detail({ SPAR_CHECKOUTS: `${folder}/c` })).toContain(`${folder}/c, `);
		expect(await detail({ XDG_STATE_HOME: `${folder}/s` })).toContain(`${folder}/s/sparring, `);
		expect(await detail({})).toContain(`${folder}/.local/state/sparring, `);
	},
);

const WORKFLOW = `version: 1
agents:
  dev: { adapter: command, run: ["sh"] }
  gone: { adapter: command, run: ["no-such-program"] }
  tape: { adapter: cassette, file: gone.jsonl }
  kept: { adapter: cassette, file: /dev/null }
tasks:
  a: { agent: dev, description: d, acceptance_criteria: [c] }
`;

thorough("agents whose program or cassette is missing are named", async () => {
	await repository();
	await writeFile(path.join(root, "sparring.yaml"), WORKFLOW);
	const lines = await look({ directory: root, env: environment() });
	const agents = lines
		.filter(({ name }) => name.startsWith("agent "))
		.map(({ name, ok }) => [name, ok]);
	expect(agents).toEqual([
		["agent dev", true],
		["agent gone", false],
		["agent tape", false],
		["agent kept", true],
	]);
});

const PAIRED = WORKFLOW.replace(
	"agent: dev, ",
	"overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: gone } }, ",
);

thorough(
	"the default tie-breaker is at most a warning, which says who decides without it",
	async () => {
		await repository();
		await writeFile(path.join(root, "sparring.yaml"), PAIRED);
		const without = (who: string) => ({
			name: "tie-breaker",
			ok: "warn",
			detail: `the model google/gemini-flash-latest needs a key, and none of these is set: GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY; until then ${who}`,
			fix: "Set GEMINI_API_KEY. Or name another agent with `tie_breaker`.",
		});
		expect(await lineOf("tie-breaker")).toEqual(without("kept is asked in its place"));
		// All who are free stand in for the coach.
		const alone = PAIRED.replace(/^ {2}gone: \{ (.*) \}$/m, "  gone: { $1, fallback: kept }");
		await writeFile(path.join(root, "sparring.yaml"), alone);
		expect(await lineOf("tie-breaker")).toEqual(
			without("a person decides conflicts; if no person is asked, their task fails"),
		);
		expect(await lineOf("tie-breaker", environment({ GOOGLE_API_KEY: "k" }))).toEqual({
			name: "tie-breaker",
			ok: true,
			fix: null,
			detail: "google/gemini-flash-latest, GOOGLE_API_KEY is set; not called",
		});
	},
);

test("a tie-breaker of the workflow is as good as its agent", async () => {
	await repository();
	const write = (more: string): Promise<void> =>
		writeFile(path.join(root, "sparring.yaml"), PAIRED + more);
	await write("tie_breaker: kept\n");
	expect(await lineOf("tie-breaker")).toMatchObject({ ok: true, detail: "agent kept", fix: null });
	await write("tie_breaker: tape\n");
	expect(await lineOf("tie-breaker")).toMatchObject({
		ok: false,
		detail: containing("gone.jsonl cannot be read (ENOENT)"),
		fix: containing("--record"),
	});
});

test("where no task has a pair nothing is said of a tie-breaker", async () => {
	await repository();
	await writeFile(path.join(root, "sparring.yaml"), `${WORKFLOW}tie_breaker: gone\n`);
	expect(await lineOf("tie-breaker")).toBeUndefined();
});

thorough("an invalid workflow is said with its first place", async () => {
	await repository();
	await writeFile(path.join(root, "sparring.yaml"), "version: 2\n");
	expect(await lineOf("workflow")).toMatchObject({
		ok: false,
		detail: containing("sparring.yaml:1:"),
	});
});

thorough("without a workflow the coding agents on the PATH are looked at", async () => {
	await repository();
	const bin = path.join(folder, "bin");
	await mkdir(bin);
	await writeFile(path.join(bin, "codex"), "#!/bin/sh\necho codex-cli 1.2.3\n", { mode: 0o755 });
	const env = environment({ PATH: `${bin}:${tools}`, CODEX_API_KEY: "k" });
	expect(await lineOf("codex", env)).toMatchObject({ detail: containing("codex-cli 1.2.3") });
	expect(await lineOf("agents", env)).toBeUndefined();
});

thorough("the workflow decides what the sandbox line says", async () => {
	await repository();
	const write = (sandbox: string): Promise<void> =>
		writeFile(path.join(root, "sparring.yaml"), WORKFLOW + sandbox);
	await write("");
	expect(await lineOf("sandbox")).toMatchObject({ ok: "warn", detail: containing("off") });
	expect((await lineOf("leftover processes"))?.detail).not.toContain("namespace");
	await write("sandbox: required\n");
	expect(await lineOf("sandbox")).toMatchObject({ ok: true, detail: "required: confined" });
	if (process.platform === "linux") {
		expect((await lineOf("leftover processes"))?.detail).toContain("namespace");
	}
});

test("what lies on the disk is told by size, and checkouts of a repository that is gone are named", async () => {
	await repository();
	const env = { ...environment(), SPAR_CHECKOUTS: `${folder}/c` };
	const places = placesOf(root, env);
	const { directory } = await claimCheckouts(places);
	await writeFile(path.join(directory, "big"), "x".repeat(2_000_000));
	const gone = path.join(folder, "gone");
	await mkdir(gone);
	const left = await claimCheckouts(placesOf(gone, env));
	await rm(gone, { recursive: true });
	const lines = await look({ directory: root, env });
	const of = (name: string) => lines.find((line) => line.name === name);
	expect(of("state size")?.detail).toMatch(/\.sparring: [\d.]+ KiB \(repository-id [\d.]+ KiB\)$/);
	expect(of("checkouts size")?.detail).toMatch(/: (?:1\.9|2) MiB$/);
	expect(of("left-over checkouts")).toMatchObject({
		ok: "warn",
		detail: containing(`${left.directory}: `),
		fix: containing(`rm -r '${left.directory}'`),
	});
});
