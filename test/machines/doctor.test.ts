import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jobsStoreOf } from "../../src/places/postgres-store.ts";
import { diagnose } from "../../src/ready/doctor/diagnose.ts";
import { migrateJobs } from "../../src/schedule/pg-boss/boss-jobs.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { connectPostgres } from "../../src/store/postgres/postgres.ts";
import { storeRoots } from "../../src/store/postgres/roots.ts";
import { type FreshDatabase, freshDatabase } from "./support/postgres.ts";

const WORKFLOW = `version: 1
name: w
agents:
  dev: { adapter: command, run: [sh, a.sh] }
  far: { adapter: command, run: [no-such-program], tags: [mac] }
tasks:
  one: { agent: dev, description: d, acceptance_criteria: [c] }
  two: { agent: far, description: d, acceptance_criteria: [c] }
`;

let scratch: string;
let clone: string;
let database: FreshDatabase;

function git(cwd: string, ...args: readonly string[]): void {
	const { status, stderr } = spawnSync("git", args, { cwd, encoding: "utf8" });
	if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

beforeEach(async () => {
	scratch = mkdtempSync(join(tmpdir(), "spar-lines-"));
	clone = join(scratch, "clone");
	database = await freshDatabase();
	git(scratch, "init", "-q", "--bare", "-b", "main", "remote.git");
	git(scratch, "clone", "-q", "remote.git", "clone");
	writeFileSync(join(clone, "sparring.yaml"), WORKFLOW);
	git(clone, "checkout", "-q", "-b", "main");
	git(clone, "add", "-A");
	git(clone, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "base");
	git(clone, "push", "-q", "origin", "main");
	mkdirSync(join(scratch, "home"));
});

afterEach(async () => {
	await database.drop();
	rmSync(scratch, { recursive: true, force: true });
});

async function linesOf(...names: readonly string[]) {
	const env = {
		PATH: process.env["PATH"],
		HOME: join(scratch, "home"),
		SPAR_STORE: database.address,
	};
	const lines = await diagnose({ directory: clone, env }, async () => ({
		available: true,
		detail: "confined",
	}));
	return names.map((name) => lines.find((line) => line.name === name));
}

test("with several machines doctor looks at their store and remote, and proposes how to start a worker", async () => {
	await migrate(database.address, (made) => migrateJobs(jobsStoreOf(made)));
	const [database_, store, remote, worker, far] = await linesOf(
		"database",
		"store",
		"remote",
		"worker",
		"agent far",
	);
	expect(database_).toBeUndefined();
	expect(store).toMatchObject({ ok: true });
	expect(remote).toMatchObject({ ok: true });
	expect(worker).toMatchObject({
		ok: true,
		detail: "spar worker takes 1 of 2 tasks; left to others: two (mac)",
	});
	expect(far).toMatchObject({ ok: false, needed: false });
});

test("a store without tables and a remote that is away are failures with what to do", async () => {
	renameSync(join(scratch, "remote.git"), join(scratch, "gone.git"));
	const [store, remote] = await linesOf("store", "remote");
	expect(store).toMatchObject({ ok: false, fix: "Run `spar store migrate` once, on any machine." });
	expect(remote).toMatchObject({ ok: false });
	expect(remote?.detail).toContain("origin");
	expect(remote?.fix).not.toBeNull();
});

test("a store that has the runs of another repository is a failure", async () => {
	await migrate(database.address, (made) => migrateJobs(jobsStoreOf(made)));
	const postgres = await connectPostgres(database.address);
	await storeRoots(postgres, ["a".repeat(40)]);
	await postgres.close();
	const [store] = await linesOf("store");
	expect(store).toMatchObject({ ok: false });
	expect(store?.detail).toContain("another repository");
	expect(store?.fix).toContain("?schema=NAME");
});
