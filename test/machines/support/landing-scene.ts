import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM } from "../../support/program.ts";
import { freshDatabase } from "./postgres.ts";

const WORKFLOW = `version: 1
name: landing
agents:
  p: { adapter: command, run: [sh, player.sh] }
checks:
  tests: { run: "sh check.sh", kind: acceptance, report: { format: exit } }
merge: { into: base }
tasks:
  one: { agent: p, description: write the file one, acceptance_criteria: [the file is there] }
  two: { agent: p, description: write the file two, acceptance_criteria: [the file is there] }
`;

/** What a command of `spar` said. */
export interface Said {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** The part of a run's report that a landing is about. */
export interface Report {
	readonly run_id: string;
	readonly status: string;
	readonly landed: boolean;
	readonly landing_refused: string | null;
}

/** A process that takes jobs. */
export interface Worker {
	readonly child: ChildProcess;
	/** What it has said so far. */
	readonly said: () => string;
}

/**
 * A remote, and clones of it on machines `office`, `first` and `second` with homes and state folders of their own, which
 * share a database. The workflow lands by itself. Its check is red where a file `red.txt` is; on a tree with `moved.txt`,
 * which is that of a landing on a moved base, it tells so and waits while it is held.
 */
export interface LandingScene {
	readonly remote: string;
	readonly clone: (machine: string) => string;
	/** It is there while the check of a landing waits. */
	readonly hold: string;
	/** It is there once a landing has begun its check. */
	readonly checking: string;
	readonly spar: (machine: string, ...args: readonly string[]) => Said;
	/** Starts the workflow without taking part. Its id. */
	readonly start: () => string;
	readonly status: () => Report;
	/** Somebody commits a file to `main` and pushes it. */
	readonly moveBase: (name: string, content?: string) => string;
	/** Resolves when it takes jobs. */
	readonly startWorker: (machine: string) => Promise<Worker>;
	readonly close: () => Promise<void>;
}

export function git(cwd: string, ...args: readonly string[]): string {
	const { status, stdout, stderr } = spawnSync("git", args, { cwd, encoding: "utf8" });
	if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
	return stdout.trim();
}

export async function landingScene(): Promise<LandingScene> {
	const scratch = mkdtempSync(join(tmpdir(), "spar-landing-"));
	const database = await freshDatabase();
	const [hold, checking] = [join(scratch, "hold"), join(scratch, "checking")];
	const clone = (machine: string): string => join(scratch, machine);
	const workers: ChildProcess[] = [];
	const optionsOf = (machine: string) => ({
		cwd: clone(machine),
		env: {
			PATH: process.env["PATH"],
			HOME: join(scratch, `home-${machine}`),
			XDG_STATE_HOME: join(scratch, `state-${machine}`),
			SPAR_STORE: database.address,
			NO_COLOR: "1",
		},
	});
	const spar = (machine: string, ...args: readonly string[]): Said => {
		const options = { ...optionsOf(machine), encoding: "utf8" } as const;
		const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
		return { code: status, out: stdout, err: stderr };
	};
	const json = <T>(...args: readonly string[]): T => {
		const { code, out, err } = spar("office", ...args, "--json");
		if (code !== 0) throw new Error(`spar ${args.join(" ")}: ${out}${err}`);
		// The shape of what the command prints is what the test is about.
		return JSON.parse(out) as T;
	};
	makeClones(scratch, checkOf(checking, hold));
	const migrated = spar("office", "store", "migrate");
	if (migrated.code !== 0) throw new Error(migrated.err);
	return {
		remote: join(scratch, "remote.git"),
		clone,
		hold,
		checking,
		spar,
		start: () => json<Report>("run", "--detach", "--anyway").run_id,
		status: () => json<Report>("status"),
		moveBase: (name, content = "") => {
			const other = clone("other");
			git(other, "pull", "-q", "--ff-only", "origin", "main");
			writeFileSync(join(other, name), content);
			return commitAndPush(other, `add ${name}`);
		},
		startWorker: async (machine) => {
			const args = [PROGRAM, "worker", "--slots", "2"];
			const child = spawn(process.execPath, args, { ...optionsOf(machine), stdio: "pipe" });
			workers.push(child);
			return { child, said: await ready(child) };
		},
		close: async () => {
			rmSync(hold, { force: true });
			for (const worker of workers) await end(worker);
			await database.drop();
			rmSync(scratch, { recursive: true });
		},
	};
}

const checkOf = (checking: string, hold: string): string => `ls out-*.txt || exit 1
if [ -f red.txt ]; then echo "red.txt is there"; exit 1; fi
if [ -f moved.txt ]; then
	touch '${checking}'
	while [ -f '${hold}' ]; do sleep 0.05; done
fi
`;

function makeClones(scratch: string, check: string): void {
	git(scratch, "init", "-q", "--bare", "-b", "main", "remote.git");
	git(scratch, "clone", "-q", "remote.git", "office");
	const office = join(scratch, "office");
	name(office);
	writeFileSync(join(office, "player.sh"), 'echo "$SPAR_TASK" > "out-$SPAR_TASK.txt"\n');
	writeFileSync(join(office, "check.sh"), check);
	writeFileSync(join(office, "sparring.yaml"), WORKFLOW);
	git(office, "checkout", "-q", "-b", "main");
	commitAndPush(office, "base");
	for (const machine of ["first", "second", "other"]) {
		git(scratch, "clone", "-q", "remote.git", machine);
		name(join(scratch, machine));
	}
	for (const machine of ["office", "first", "second"]) mkdirSync(join(scratch, `home-${machine}`));
}

function name(clone: string): void {
	git(clone, "config", "user.name", "T");
	git(clone, "config", "user.email", "t@example.com");
}

function commitAndPush(clone: string, subject: string): string {
	git(clone, "add", "-A");
	git(clone, "commit", "-q", "-m", subject);
	git(clone, "push", "-q", "origin", "main");
	return git(clone, "rev-parse", "HEAD");
}

async function ready(child: ChildProcess): Promise<() => string> {
	let said = "";
	await new Promise<void>((resolve, reject) => {
		child.once("exit", () => reject(new Error(`the worker ended: ${said}`)));
		child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			said += text;
			if (said.includes("takes")) resolve();
		});
	});
	return () => said;
}

async function end(worker: ChildProcess): Promise<void> {
	if (worker.exitCode !== null || worker.signalCode !== null) return;
	const ended = once(worker, "exit");
	worker.kill("SIGINT");
	worker.kill("SIGCONT");
	await ended;
}
