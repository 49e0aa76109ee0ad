import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "./support/postgres.ts";

const PROGRAM = join(import.meta.dirname, "../../src/cli/main.ts");
const TASKS = ["t1", "t2", "t3", "t4", "t5", "t6"];

const PLAYER = `sleep 0.4
echo "$SPAR_TASK" > "out-$SPAR_TASK.txt"
echo "$SPAR_TASK" >> "$CALLS"
`;

const WORKFLOW = `version: 1
name: machines
max_parallel: 4
agents:
  p: { adapter: command, run: [sh, player.sh], env: [CALLS] }
  q: { adapter: command, run: [sh, player.sh], env: [CALLS], tags: [gpu] }
checks:
  tests: { run: "ls out-*.txt", kind: acceptance, report: { format: exit } }
tasks:
${TASKS.map(
	(id, index) => `  ${id}:
    description: write the file ${id}
    acceptance_criteria: [the file is there]
    agent: ${id === "t5" ? "q" : "p"}
    depends_on: [${index > 3 ? "t1, t2" : ""}]
`,
).join("")}`;

let scratch: string;
let database: FreshDatabase;
let workers: ChildProcess[];

function git(cwd: string, ...args: readonly string[]): string {
	const { status, stdout, stderr } = spawnSync("git", args, { cwd, encoding: "utf8" });
	if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
	return stdout.trim();
}

/** A machine: a clone, a home and a state folder of its own. */
const environmentOf = (machine: string): NodeJS.ProcessEnv => ({
	PATH: process.env["PATH"],
	HOME: join(scratch, `home-${machine}`),
	XDG_STATE_HOME: join(scratch, `state-${machine}`),
	SPAR_STORE: database.address,
	CALLS: join(scratch, "calls"),
	NO_COLOR: "1",
});

function spar(machine: string, ...args: readonly string[]): string {
	const options = { cwd: join(scratch, machine), env: environmentOf(machine) };
	const run = spawnSync(process.execPath, [PROGRAM, ...args], { ...options, encoding: "utf8" });
	if (run.status !== 0) throw new Error(`spar ${args.join(" ")}: ${run.stdout}${run.stderr}`);
	return run.stdout;
}

/** Resolves when it says that it takes tasks; `told` resolves with its first line that holds the word. */
async function startWorker(machine: string, ...args: readonly string[]) {
	const env = environmentOf(machine);
	const options = { cwd: join(scratch, machine), env, stdio: "pipe" } as const;
	const child = spawn(process.execPath, [PROGRAM, "worker", ...args], options);
	workers.push(child);
	let said = "";
	const listeners = new Set<() => void>();
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		said += text;
		for (const listener of listeners) listener();
	});
	const told = async (word: string): Promise<void> => {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const look = (): void => {
			if (said.includes(word)) resolve();
		};
		listeners.add(look);
		child.once("exit", () => reject(new Error(`the worker ended: ${said}`)));
		look();
		await promise;
		listeners.delete(look);
	};
	await told("takes");
	return { child, told };
}

beforeEach(async () => {
	scratch = mkdtempSync(join(tmpdir(), "spar-machines-"));
	database = await freshDatabase();
	workers = [];
	git(scratch, "init", "-q", "--bare", "-b", "main", "remote.git");
	git(scratch, "clone", "-q", "remote.git", "office");
	const office = join(scratch, "office");
	for (const [key, value] of [
		["user.name", "T"],
		["user.email", "t@example.com"],
	] as const)
		git(office, "config", key, value);
	writeFileSync(join(office, "player.sh"), PLAYER);
	writeFileSync(join(office, "sparring.yaml"), WORKFLOW);
	git(office, "checkout", "-q", "-b", "main");
	git(office, "add", "-A");
	git(office, "commit", "-q", "-m", "base");
	git(office, "push", "-q", "origin", "main");
	for (const machine of ["one", "two"]) git(scratch, "clone", "-q", "remote.git", machine);
	for (const machine of ["office", "one", "two"]) mkdirSync(join(scratch, `home-${machine}`));
	spar("office", "store", "migrate");
});

afterEach(async () => {
	for (const worker of workers) {
		if (worker.exitCode !== null || worker.signalCode !== null) continue;
		const ended = once(worker, "exit");
		worker.kill("SIGTERM");
		await ended;
	}
	await database.drop();
	rmSync(scratch, { recursive: true });
});

/** Subjects of what merged, oldest first. */
const merged = (run: string): readonly string[] =>
	git(
		join(scratch, "remote.git"),
		"log",
		"--reverse",
		"--format=%s",
		`main..sparring/${run}/integration`,
	)
		.split("\n")
		.filter((subject) => subject !== "");

interface Report {
	readonly run_id: string;
	readonly status: string;
	readonly unclaimed: readonly { readonly task: string; readonly has_worker: boolean }[];
	readonly tasks: Readonly<Record<string, { readonly status: string; readonly merged: boolean }>>;
}

const status = (machine: string): Report => JSON.parse(spar(machine, "status", "--json")) as Report;

test("two workers with clones of their own take a run to its end, also when one is killed in the middle", async () => {
	const one = await startWorker("one", "--slots", "2");
	const { run_id: run } = JSON.parse(spar("office", "run", "--detach", "--anyway", "--json")) as {
		readonly run_id: string;
	};
	await one.told("taken");
	const killed = once(one.child, "exit");
	one.child.kill("SIGKILL");
	await killed;
	const two = await startWorker("two", "--slots", "3", "--tags", "gpu");
	await two.told("taken");
	spar("office", "watch", run);
	const report = status("one");
	expect(report.status).toBe("completed");
	expect(Object.keys(report.tasks)).toEqual(TASKS);
	expect(Object.values(report.tasks).every((task) => task.merged)).toBe(true);
	const expected = TASKS.map((id) => `write the file ${id}`);
	expect([...merged(run)].sort((a, b) => a.localeCompare(b))).toEqual(expected);
	const files = git(
		join(scratch, "remote.git"),
		"ls-tree",
		"--name-only",
		`sparring/${run}/integration`,
	);
	for (const id of TASKS) expect(files).toContain(`out-${id}.txt`);
	// Any machine can show and land what others did.
	expect(spar("two", "diff", "t3")).toContain("out-t3.txt");
	spar("office", "land", run);
	expect(git(join(scratch, "office"), "log", "--format=%s", "main")).toContain("write the file t6");
	spar("office", "prune");
	expect(git(join(scratch, "remote.git"), "for-each-ref", "--format=%(refname)")).toBe(
		"refs/heads/main",
	);
});

test("a task that no worker can take is shown as such, and one with its tags takes it", async () => {
	await startWorker("one", "--slots", "4");
	const run = spar("office", "run", "--detach", "--anyway", "--task-id", "t5");
	expect(run).toContain("waits for workers");
	const merging = Promise.withResolvers<void>();
	const looking = setInterval(() => {
		const { unclaimed, tasks } = status("office");
		if (tasks["t1"]?.merged === true && tasks["t2"]?.merged === true && unclaimed.length > 0)
			merging.resolve();
	}, 300);
	await merging.promise;
	clearInterval(looking);
	expect(status("office").unclaimed).toEqual([
		{ task: "t5", what: "task", tags: ["gpu"], has_worker: false },
	]);
	await startWorker("two", "--tags", "gpu");
	spar("office", "watch");
	expect(status("office").status).toBe("completed");
});

test("one clone has one worker, and workers of all machines are listed while they live", async () => {
	const one = await startWorker("one", "--tags", "b,a");
	expect(() => spar("one", "worker")).toThrow("another process works in this clone");
	const listed = JSON.parse(spar("two", "workers", "--json")) as readonly object[];
	expect(listed).toMatchObject([{ tags: ["a", "b"], slots: 1, busy: 0 }]);
	expect(Object.keys(listed[0] ?? {}).sort((a, b) => a.localeCompare(b))).toEqual([
		"busy",
		"host",
		"id",
		"seen_at",
		"slots",
		"tags",
		"takes",
	]);
	const ended = once(one.child, "exit");
	one.child.kill("SIGTERM");
	await ended;
	expect(JSON.parse(spar("two", "workers", "--json"))).toEqual([]);
});

test("what needs a shared store says so without one", () => {
	const env = { ...environmentOf("office"), SPAR_STORE: "" };
	for (const args of [["workers"], ["worker"], ["store", "migrate"], ["run", "--detach"]]) {
		const options = { cwd: join(scratch, "office"), env, encoding: "utf8" } as const;
		const { status: code, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
		expect([code, stderr]).toEqual([2, expect.stringContaining("SPAR_STORE") as unknown]);
	}
});
