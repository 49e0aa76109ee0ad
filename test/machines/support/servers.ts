import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chownSync,
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort, saysReady } from "./server-process.ts";

/** A server that runs for tests. */
export interface TestServer {
	readonly address: string;
	/** Ends it, and removes its folder. Idempotent. */
	stop(): Promise<void>;
}

/** A Postgres that can go away for a while. */
export interface TestPostgres extends TestServer {
	/**
	 * Ends it at once and starts it again on the same port, with what it had stored.
	 *
	 * @param whileAway is waited for in between
	 */
	restart(whileAway?: () => Promise<void>): Promise<void>;
}

/** A program that is not installed. */
export class ProgramMissing extends Error {
	readonly program: string;

	constructor(program: string, debianPackage: string) {
		super(`the program ${program} is missing (Debian: ${debianPackage})`);
		this.program = program;
	}
}

/**
 * Where programs are looked for: the folders that SPAR_TEST_PROGRAMS names, else those of the search path and of Debian's
 * packages, whose newest Postgres is on no path.
 */
function programFolders(): readonly string[] {
	const named = process.env["SPAR_TEST_PROGRAMS"];
	if (named !== undefined) return named.split(delimiter);
	const debians = globSync("/usr/lib/postgresql/*/bin").sort((a, b) =>
		b.localeCompare(a, "en", { numeric: true }),
	);
	return [...(process.env["PATH"] ?? "").split(delimiter), ...debians, "/usr/sbin"];
}

function programPath(name: string, debianPackage: string): string {
	const paths = programFolders().map((folder) => join(folder, name));
	const found = paths.find((path) => existsSync(path));
	if (found === undefined) throw new ProgramMissing(name, debianPackage);
	return found;
}

const programs = {
	initdb: () => programPath("initdb", "postgresql"),
	postgres: () => programPath("postgres", "postgresql"),
	nats: () => programPath("nats-server", "nats-server"),
};

/** Looks for all programs that the servers need. @throws ProgramMissing */
export function requireServers(): void {
	for (const find of Object.values(programs)) find();
}

/** Postgres refuses to run as root; then it runs as one of Debian's ordinary users. */
function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of ["postgres", "nobody"]) {
		const [uid, gid] = ["-u", "-g"].map((flag) => {
			const { status, stdout } = spawnSync("id", [flag, name], { encoding: "utf8" });
			return status === 0 ? Number(stdout) : Number.NaN;
		});
		if (Number.isInteger(uid) && Number.isInteger(gid))
			return { uid: Number(uid), gid: Number(gid) };
	}
	throw new Error("there is no user postgres or nobody that a server could run as");
}

/** A folder that the server's user can reach; the tests' own temporary folder is closed to others. */
function makeFolder(): string {
	const user = ordinaryUser();
	const folder = mkdtempSync(join(user === undefined ? tmpdir() : "/tmp", "spar-server-"));
	if (user !== undefined) chownSync(folder, user.uid, user.gid);
	return folder;
}

/** Starts a program and waits until it says that it is ready. */
async function startProgram(
	command: string,
	args: readonly string[],
	cwd: string,
	ready: string,
): Promise<ChildProcess> {
	const child = spawn(command, args, {
		cwd,
		...ordinaryUser(),
		env: { ...process.env, LC_ALL: "C" },
		stdio: ["ignore", "ignore", "pipe"],
	});
	await saysReady(child, ready);
	return child;
}

async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = once(child, "exit");
	child.kill(signal);
	await exit;
}

/**
 * Starts a Postgres on loopback, on a free port and with a new, empty folder; user `spar` is its superuser and needs no
 * password. What it stores is not synced.
 *
 * @param access lines of `pg_hba.conf` before the one that lets all in, such as `"host all asked 127.0.0.1/32 md5"`
 * @throws ProgramMissing
 */
export async function startPostgres(...access: readonly string[]): Promise<TestPostgres> {
	const [initdb, postgres] = [programs.initdb(), programs.postgres()];
	const folder = makeFolder();
	const data = join(folder, "data");
	const port = await freePort();
	const { status, stderr } = spawnSync(
		initdb,
		["-D", data, "-U", "spar", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
		{ cwd: folder, ...ordinaryUser(), encoding: "utf8" },
	);
	if (status !== 0) {
		rmSync(folder, { recursive: true });
		throw new Error(`initdb failed: ${stderr}`);
	}
	const rules = join(data, "pg_hba.conf");
	writeFileSync(rules, `${access.join("\n")}\n${readFileSync(rules, "utf8")}`);
	const settings = ["listen_addresses=127.0.0.1", "fsync=off", "max_connections=300"];
	const args = ["-D", data, "-p", String(port), "-k", folder];
	const start = (): Promise<ChildProcess> =>
		startProgram(
			postgres,
			[...args, ...settings.flatMap((setting) => ["-c", setting])],
			folder,
			"ready to accept connections",
		);
	let child = await start();
	return {
		address: `postgres://spar@127.0.0.1:${port}/postgres`,
		restart: async (whileAway) => {
			await endProgram(child, "SIGINT");
			await whileAway?.();
			child = await start();
		},
		stop: async () => {
			await endProgram(child, "SIGINT");
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/**
 * Starts a NATS server with JetStream on loopback, on a free port and with a new folder.
 *
 * @param more further arguments, such as `"--auth", "a-token"`
 * @throws ProgramMissing
 */
export async function startNats(...more: readonly string[]): Promise<TestServer> {
	const nats = programs.nats();
	const folder = makeFolder();
	const port = await freePort();
	const store = join(folder, "jetstream");
	mkdirSync(store);
	const user = ordinaryUser();
	if (user !== undefined) chownSync(store, user.uid, user.gid);
	const args = ["-js", "-sd", store, "-a", "127.0.0.1", "-p", String(port), ...more];
	const child = await startProgram(nats, args, folder, "Server is ready");
	return {
		address: `nats://127.0.0.1:${port}`,
		stop: async () => {
			await endProgram(child, "SIGTERM");
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
