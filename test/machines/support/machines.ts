import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FreshDatabase, freshDatabase } from "./postgres.ts";

const PROGRAM = join(import.meta.dirname, "../../../src/cli/main.ts");

/** What `spar status --json` says, as far as tests read it. */
export interface Report {
	readonly run_id: string;
	readonly status: string;
	readonly unclaimed: readonly {
		readonly task: string;
		readonly what: string;
		readonly tags: readonly string[];
		readonly has_worker: boolean;
	}[];
	readonly tasks: Readonly<
		Record<
			string,
			{
				readonly status: string;
				readonly merged: boolean;
				readonly turns: number;
				readonly verification: string | null;
			}
		>
	>;
}

/** A `spar` that goes on until it is ended. */
export interface LongProcess {
	readonly child: ChildProcess;
	/** What it wrote on both streams. */
	readonly said: () => string;
	/** Resolves when it has written the word; rejects when it ends before. */
	readonly told: (word: string) => Promise<void>;
	/** Ends it, and waits for that. */
	readonly end: (signal?: NodeJS.Signals) => Promise<void>;
}

/**
 * Machines on one host: each has a clone, a home and a state folder of its own. They share a database and a bare remote.
 */
export class TestMachines {
	readonly scratch: string;
	readonly #database: FreshDatabase;
	readonly #env: NodeJS.ProcessEnv;
	readonly #running: LongProcess[] = [];

	private constructor(scratch: string, database: FreshDatabase, env: NodeJS.ProcessEnv) {
		this.scratch = scratch;
		this.#database = database;
		this.#env = env;
	}

	/**
	 * @param names of machines; the first one has pushed the files as the base commit
	 * @param files by their paths
	 * @param env of all machines, besides what they need; `SCRATCH` names the folder that they share
	 */
	static async make(
		names: readonly [string, ...string[]],
		files: Readonly<Record<string, string>>,
		env: NodeJS.ProcessEnv = {},
	): Promise<TestMachines> {
		const scratch = mkdtempSync(join(tmpdir(), "spar-machines-"));
		const machines = new TestMachines(scratch, await freshDatabase(), env);
		const [first, ...others] = names;
		machines.git("", "init", "-q", "--bare", "-b", "main", "remote.git");
		machines.git("", "clone", "-q", "remote.git", first);
		machines.git(first, "config", "user.name", "T");
		machines.git(first, "config", "user.email", "t@example.com");
		for (const [path, text] of Object.entries(files)) {
			const file = join(scratch, first, path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
		machines.git(first, "checkout", "-q", "-b", "main");
		machines.git(first, "add", "-A");
		machines.git(first, "commit", "-q", "-m", "base");
		machines.git(first, "push", "-q", "origin", "main");
		for (const name of others) machines.git("", "clone", "-q", "remote.git", name);
		for (const name of names) mkdirSync(join(scratch, `home-${name}`));
		machines.spar(first, "store", "migrate");
		return machines;
	}

	/** Runs git in a machine's clone, or with `""` beside all of them. @returns its output, trimmed */
	git(machine: string, ...args: readonly string[]): string {
		const options = { cwd: join(this.scratch, machine), encoding: "utf8" } as const;
		const { status, stdout, stderr } = spawnSync("git", args, options);
		if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
		return stdout.trim();
	}

	/** Runs spar to its end. @returns its standard output */
	spar(machine: string, ...args: readonly string[]): string {
		const options = { cwd: join(this.scratch, machine), env: this.#environmentOf(machine) };
		const run = spawnSync(process.execPath, [PROGRAM, ...args], { ...options, encoding: "utf8" });
		if (run.status !== 0) throw new Error(`spar ${args.join(" ")}: ${run.stdout}${run.stderr}`);
		return run.stdout;
	}

	/** Starts spar; `end` or `remove` ends it. */
	start(machine: string, ...args: readonly string[]): LongProcess {
		const env = this.#environmentOf(machine);
		const options = { cwd: join(this.scratch, machine), env, stdio: "pipe" } as const;
		const child = spawn(process.execPath, [PROGRAM, ...args], options);
		const ended = once(child, "exit");
		let said = "";
		const listeners = new Set<() => void>();
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding("utf8").on("data", (text: string) => {
				said += text;
				for (const listener of listeners) listener();
			});
		const started: LongProcess = {
			child,
			said: () => said,
			told: async (word) => {
				const { promise, resolve, reject } = Promise.withResolvers<void>();
				const look = (): void => {
					if (said.includes(word)) resolve();
				};
				const stop = (): void => reject(new Error(`it ended without "${word}": ${said}`));
				listeners.add(look);
				child.once("exit", stop);
				look();
				try {
					await promise;
				} finally {
					listeners.delete(look);
					child.off("exit", stop);
				}
			},
			end: async (signal = "SIGTERM") => {
				if (child.exitCode === null && child.signalCode === null) child.kill(signal);
				await ended;
			},
		};
		this.#running.push(started);
		return started;
	}

	status(machine: string): Report {
		return JSON.parse(this.spar(machine, "status", "--json")) as Report;
	}

	/** Starts a run that others work on. @returns its id */
	detach(machine: string, ...args: readonly string[]): string {
		const said = this.spar(machine, "run", "--detach", "--anyway", "--json", ...args);
		return (JSON.parse(said) as Report).run_id;
	}

	/** Ends what runs, and removes everything. */
	async remove(): Promise<void> {
		for (const each of this.#running) await each.end();
		await this.#database.drop();
		rmSync(this.scratch, { recursive: true });
	}

	#environmentOf(machine: string): NodeJS.ProcessEnv {
		return {
			PATH: process.env["PATH"],
			HOME: join(this.scratch, `home-${machine}`),
			XDG_STATE_HOME: join(this.scratch, `state-${machine}`),
			SPAR_STORE: this.#database.address,
			SCRATCH: this.scratch,
			MACHINE: machine,
			NO_COLOR: "1",
			...this.#env,
		};
	}
}
