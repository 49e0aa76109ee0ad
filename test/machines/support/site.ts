import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, types } from "pg";
import { PROGRAM } from "../../support/program.ts";
import { type FreshDatabase, freshDatabase } from "./postgres.ts";

const MACHINE = join(import.meta.dirname, "machine.mjs");

type Row = Readonly<Record<string, unknown>>;

/** A process of `spar` on a machine. */
export interface Started {
	readonly child: ChildProcess;
	/** What it printed so far, on both outputs. */
	said(): string;
	/** Resolves when it has printed this text; rejects when it ends before. */
	told(text: string): Promise<void>;
	/** As `told`, of what it prints from now on. */
	tells(text: string): Promise<void>;
	/** Resolves when it has ended. */
	readonly ended: Promise<number | null>;
	/** Ends it, and waits for that. */
	end(signal?: NodeJS.Signals): Promise<void>;
}

/** How a process is started. */
export interface StartOptions {
	/** On top of what its machine has. */
	readonly env?: NodeJS.ProcessEnv;
	/** Of a worker, such as `gpu,linux`. */
	readonly tags?: string;
}

/** What a site is made with. */
export interface SiteOptions {
	/** Files of the repository, by path. */
	readonly files: Readonly<Record<string, string>>;
	/** Besides `office`, from which runs are started. */
	readonly machines: readonly string[];
	/** Instead of one on the server that all tests share. */
	readonly database?: FreshDatabase;
	/** False: the store is left without tables. */
	readonly migrates?: boolean;
}

/**
 * Machines with a host name, a clone, a home and a state folder of their own, which share a database and a bare remote.
 */
export class Site {
	readonly scratch: string;
	readonly remote: string;
	readonly #database: FreshDatabase;
	readonly #started = new Set<Started>();

	private constructor(scratch: string, database: FreshDatabase) {
		this.scratch = scratch;
		this.remote = join(scratch, "remote.git");
		this.#database = database;
	}

	/** Whoever makes it removes it, in `afterEach`. */
	static async make({ files, machines, database, migrates }: SiteOptions): Promise<Site> {
		const scratch = mkdtempSync(join(tmpdir(), "spar-machines-"));
		const site = new Site(scratch, database ?? (await freshDatabase()));
		git(scratch, "init", "-q", "--bare", "-b", "main", "remote.git");
		git(scratch, "clone", "-q", "remote.git", "office");
		const office = site.at("office");
		git(office, "config", "user.name", "T");
		git(office, "config", "user.email", "t@example.com");
		for (const [path, text] of Object.entries(files)) {
			mkdirSync(dirname(join(office, path)), { recursive: true });
			writeFileSync(join(office, path), text);
		}
		git(office, "checkout", "-q", "-b", "main");
		git(office, "add", "-A");
		git(office, "commit", "-q", "-m", "base");
		git(office, "push", "-q", "origin", "main");
		for (const machine of machines) git(scratch, "clone", "-q", "remote.git", machine);
		for (const machine of ["office", ...machines]) mkdirSync(join(scratch, `home-${machine}`));
		if (migrates !== false) site.spar("office", "store", "migrate");
		return site;
	}

	/** The address of the database, as SPAR_STORE takes it. */
	get store(): string {
		return this.#database.address;
	}

	/** The clone of a machine. */
	at(machine: string): string {
		return join(this.scratch, machine);
	}

	/** What processes of a machine have; `SITE` names a folder beside all clones, where agents can write. */
	env(machine: string): NodeJS.ProcessEnv {
		return {
			PATH: process.env["PATH"],
			HOME: join(this.scratch, `home-${machine}`),
			XDG_STATE_HOME: join(this.scratch, `state-${machine}`),
			TMPDIR: process.env["TMPDIR"],
			SPAR_STORE: this.#database.address,
			SPAR_TEST_HOST: machine,
			SITE: this.scratch,
			NO_COLOR: "1",
		};
	}

	/** Runs `spar` to its end. @returns what it printed @throws Error when it fails */
	spar(machine: string, ...args: readonly string[]): string {
		const options = { cwd: this.at(machine), env: this.env(machine), encoding: "utf8" } as const;
		const run = spawnSync(process.execPath, ["--import", MACHINE, PROGRAM, ...args], options);
		if (run.status !== 0) throw new Error(`spar ${args.join(" ")}: ${run.stdout}${run.stderr}`);
		return run.stdout;
	}

	start(machine: string, args: readonly string[], { env }: StartOptions = {}): Started {
		const child = spawn(process.execPath, ["--import", MACHINE, PROGRAM, ...args], {
			cwd: this.at(machine),
			env: { ...this.env(machine), ...env },
			stdio: ["ignore", "pipe", "pipe"],
		});
		const started = watched(child, `spar ${args.join(" ")} on ${machine}`);
		this.#started.add(started);
		return started;
	}

	/** Starts a worker, and waits until it takes tasks. */
	async worker(machine: string, slots: number, options: StartOptions = {}): Promise<Started> {
		const tags = options.tags === undefined ? [] : ["--tags", options.tags];
		const worker = this.start(machine, ["worker", "--slots", String(slots), ...tags], options);
		await worker.told("takes");
		return worker;
	}

	/** Starts a run that workers do. @returns its id */
	begin(...args: readonly string[]): string {
		const told = this.spar("office", "run", "--detach", "--anyway", "--json", ...args);
		const { run_id } = JSON.parse(told) as { readonly run_id: string };
		return run_id;
	}

	/** Rows of the database, as another program would read them. */
	async rows(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
		const schema = new URL(this.store).searchParams.get("schema") ?? "sparring";
		const client = new Client({ connectionString: this.store, types: { getTypeParser } });
		await client.connect();
		try {
			await client.query(`SET search_path TO ${schema}`);
			return (await client.query<Row>(sql, [...values])).rows;
		} finally {
			await client.end();
		}
	}

	/** What the bare remote says. */
	atRemote(...args: readonly string[]): string {
		return git(this.remote, ...args);
	}

	/** Ends what still runs, and removes everything. */
	async remove(): Promise<void> {
		await Promise.all([...this.#started].map((each) => each.end()));
		await this.#database.drop();
		rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Whole numbers of `bigint` columns are read as numbers. */
function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
	// True because these read the text of a value.
	return oid === types.builtins.INT8 ? Number : (types.getTypeParser(oid, format) as never);
}

/** Runs git as a user would. @throws Error when it fails */
export function git(cwd: string, ...args: readonly string[]): string {
	const { status, stdout, stderr } = spawnSync("git", args, { cwd, encoding: "utf8" });
	if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
	return stdout.trim();
}

function watched(child: ChildProcess, name: string): Started {
	let said = "";
	const listeners = new Set<() => void>();
	for (const stream of [child.stdout, child.stderr])
		stream?.setEncoding("utf8").on("data", (text: string) => {
			said += text;
			for (const listener of listeners) listener();
		});
	const ended = once(child, "close").then(([code]: readonly unknown[]) =>
		typeof code === "number" ? code : null,
	);
	const told = async (text: string, from = 0): Promise<void> => {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const look = (): void => {
			if (said.includes(text, from)) resolve();
		};
		listeners.add(look);
		void ended.then(() => reject(new Error(`${name} ended before it said ${text}: ${said}`)));
		look();
		await promise.finally(() => listeners.delete(look));
	};
	return {
		child,
		said: () => said,
		told,
		tells: (text) => told(text, said.length),
		ended,
		// SIGTERM would let a worker finish what it works on.
		end: async (signal = "SIGINT") => {
			if (child.exitCode === null && child.signalCode === null) {
				child.kill(signal);
				// One that is stopped gets no other signal.
				if (signal !== "SIGSTOP") child.kill("SIGCONT");
			}
			await ended;
		},
	};
}
