import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../test/machines/support/servers.ts";
import type { Measurement } from "./measurement.ts";
import { commitAll, type Environment, inScratch, withoutGit, writeFiles } from "./scratch.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Tasks one after the other, whose agents answer at once: what is left is Sparring's own work. */
const CHAIN = 8;

/** A task over a network may take so much more than one on the same disk. */
const MOST_OVERHEAD = 2;

/** Tasks of which each waits for its agents, for workers with one slot each. */
const WAITING = { tasks: 16, seconds: 5 };

/** Two workers are to be nearly twice as fast as one, and four nearly four times. */
const LEAST_SPEEDUP = 0.85;

/** A lease ends so long after its last heartbeat, in ms. */
const LEASE_MS = 30_000;

const LOOK_MS = 50;

/** What a run consists of. */
interface Shape {
	readonly tasks: number;
	readonly seconds: number;
	readonly isChain: boolean;
}

function workflowOf({ tasks, seconds, isChain }: Shape): string {
	const player = `date +%s%N >> "$STARTS"; sleep ${seconds}; echo done > "$SPAR_TASK.txt"; echo '{}' > "$SPAR_REPORT"`;
	const task = (nth: number) => ({
		agent: "dev",
		description: "Work.",
		acceptance_criteria: ["done"],
		depends_on: isChain && nth > 0 ? [`t${nth - 1}`] : [],
	});
	return JSON.stringify({
		version: 1,
		name: "machines",
		max_parallel: isChain ? 1 : tasks,
		human: { enabled: false },
		agents: { dev: { adapter: "command", run: ["sh", "-c", player], env: ["STARTS"] } },
		checks: { tests: { kind: "acceptance", run: "true", report: { format: "exit" } } },
		tasks: Object.fromEntries(Array.from({ length: tasks }, (_, nth) => [`t${nth}`, task(nth)])),
	});
}

/** Machines with homes, state folders and clones of their own, which share a database and a bare remote. */
class Site {
	readonly #scratch: string;
	readonly #environment: Environment;
	readonly #store: string | null;
	readonly #workers: ChildProcess[] = [];

	/** @param store null: one machine with a database of its own */
	constructor(scratch: string, environment: Environment, store: string | null) {
		this.#scratch = scratch;
		this.#environment = environment;
		this.#store = store;
	}

	/** Where agents note the time at which they start. */
	get starts(): string {
		return join(this.#scratch, "starts");
	}

	prepare(shape: Shape): void {
		const office = join(this.#scratch, "office");
		writeFiles(office, { "sparring.yaml": workflowOf(shape), "readme.md": "# Machines\n" });
		commitAll(office, this.#environment);
		this.#git(this.#scratch, "clone", "--quiet", "--bare", office, "remote.git");
		this.#git(office, "remote", "add", "origin", join(this.#scratch, "remote.git"));
		if (this.#store !== null) this.spar("office", "store", "migrate");
	}

	/** Starts a worker in a clone of its own, and waits until it takes tasks. */
	async worker(name: string): Promise<ChildProcess> {
		this.#git(this.#scratch, "clone", "--quiet", "remote.git", name);
		const options = this.#options(name);
		const child = spawn(process.execPath, [MAIN, "worker", "--slots", "1"], {
			...options,
			stdio: ["ignore", "ignore", "pipe"],
		});
		this.#workers.push(child);
		let said = "";
		for await (const chunk of child.stderr) {
			said += String(chunk);
			if (said.includes("takes")) break;
		}
		return child;
	}

	spar(machine: string, ...args: readonly string[]): string {
		return execFileSync(process.execPath, [MAIN, ...args], {
			...this.#options(machine),
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});
	}

	/** Until the run has ended. */
	async ended(runId: string): Promise<void> {
		for (;;) {
			const text = this.spar("office", "status", runId, "--json");
			const { status } = JSON.parse(text) as { readonly status: string };
			if (status === "completed") return;
			if (status !== "running") throw new Error(`the run ${runId} is ${status}`);
			await delay(1_000);
		}
	}

	async close(): Promise<void> {
		for (const child of this.#workers) {
			if (child.exitCode !== null || child.signalCode !== null) continue;
			child.kill("SIGTERM");
			await once(child, "exit");
		}
	}

	#options(machine: string) {
		const home = join(this.#scratch, `home-${machine}`);
		mkdirSync(home, { recursive: true });
		const store = this.#store === null ? {} : { SPAR_STORE: this.#store };
		const env = {
			...withoutGit(this.#environment),
			HOME: home,
			XDG_STATE_HOME: join(home, "state"),
			STARTS: this.starts,
			...store,
		};
		return { cwd: join(this.#scratch, machine), env };
	}

	#git(cwd: string, ...args: readonly string[]): void {
		execFileSync("git", args, { cwd, env: withoutGit(this.#environment), stdio: "ignore" });
	}
}

async function atSite<T>(
	{ environment, store }: { readonly environment: Environment; readonly store: string | null },
	shape: Shape,
	work: (site: Site) => Promise<T>,
): Promise<T> {
	return await inScratch(async (scratch) => {
		const site = new Site(scratch, environment, store);
		try {
			site.prepare(shape);
			return await work(site);
		} finally {
			await site.close();
		}
	});
}

/** How long a chain of tasks takes, in ms for a task. */
const chain = async (environment: Environment, store: string | null): Promise<number> =>
	await atSite({ environment, store }, { tasks: CHAIN, seconds: 0, isChain: true }, (site) => {
		const start = performance.now();
		site.spar("office", "run");
		return Promise.resolve((performance.now() - start) / CHAIN);
	});

/** How long some workers take for tasks that wait for their agents, in ms. */
const waiting = async (environment: Environment, store: string, workers: number): Promise<number> =>
	await atSite({ environment, store }, { ...WAITING, isChain: false }, async (site) => {
		for (let nth = 0; nth < workers; nth += 1) await site.worker(`w${nth}`);
		const start = performance.now();
		const told = site.spar("office", "run", "--detach", "--json");
		const { run_id: runId } = JSON.parse(told) as { readonly run_id: string };
		await site.ended(runId);
		return performance.now() - start;
	});

/** How long after a worker was killed its task is worked on by another one, in ms. */
const takenOver = async (environment: Environment, store: string): Promise<number> =>
	await atSite({ environment, store }, { tasks: 1, seconds: 3, isChain: false }, async (site) => {
		const first = await site.worker("w0");
		site.spar("office", "run", "--detach");
		await startsOf(site, 1);
		await site.worker("w1");
		const start = performance.now();
		first.kill("SIGKILL");
		await startsOf(site, 2);
		return performance.now() - start;
	});

async function startsOf({ starts }: Site, count: number): Promise<void> {
	while (!existsSync(starts) || statSync(starts).size === 0) await delay(LOOK_MS);
	while (readFileSync(starts, "utf8").trim().split("\n").length < count) await delay(LOOK_MS);
}

const perMinute = (ms: number): string => ((WAITING.tasks * 60_000) / ms).toFixed(1);

/**
 * What several machines cost and bring, on a Postgres of its own and a bare remote on this disk: a task against one on
 * SQLite, two and four workers against one, and the time until the task of a killed worker runs elsewhere.
 */
export async function measureMachines(environment: Environment): Promise<Measurement[]> {
	const postgres = await startPostgres();
	// Each in a schema of its own: what one leaves behind is not in the way of the next.
	let schemas = 0;
	const store = (): string => {
		schemas += 1;
		return `${postgres.address}?schema=bench_${schemas}`;
	};
	try {
		const here = await chain(environment, null);
		const there = await chain(environment, store());
		const alone = await waiting(environment, store(), 1);
		const measured: Measurement[] = [
			{
				name: "a task on several machines against one on SQLite",
				value: there,
				floor: here,
				unit: "ms",
				target: MOST_OVERHEAD,
			},
		];
		for (const workers of [2, 3, 4]) {
			const ms = await waiting(environment, store(), workers);
			measured.push({
				name: `${workers} workers (${perMinute(ms)} tasks a minute) against one (${perMinute(alone)})`,
				value: ms * workers,
				floor: alone,
				unit: "ms",
				target: 1 / LEAST_SPEEDUP,
			});
		}
		measured.push({
			name: "until the task of a killed worker runs elsewhere, against its lease",
			value: await takenOver(environment, store()),
			floor: LEASE_MS,
			unit: "ms",
			target: 1.2,
		});
		return measured;
	} finally {
		await postgres.stop();
	}
}
