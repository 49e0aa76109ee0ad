import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { systemClock } from "../../kernel/clock.ts";
import { RUN, run } from "../record-builders.contract.ts";
import { openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { sqliteRecords } from "./records.ts";

/** Typed, as vitest gives `any`. */
const textWith = (part: string): unknown => expect.stringContaining(part);

const PRELUDE = `
	import { systemClock } from ${JSON.stringify(import.meta.resolve("../../kernel/clock.ts"))};
	import { openDatabase } from ${JSON.stringify(import.meta.resolve("./database.ts"))};
	import { sqliteLeases } from ${JSON.stringify(import.meta.resolve("./leases.ts"))};
	import { sqliteRecords } from ${JSON.stringify(import.meta.resolve("./records.ts"))};
	const db = openDatabase(process.argv[1]);
	const leases = sqliteLeases(db, { clock: systemClock });
	const records = sqliteRecords(db);
`;

let directory: string;
let file: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-processes-"));
	file = join(directory, "sparring.db");
});
afterEach(async () => {
	const running = [...children].filter(
		({ exitCode, signalCode }) => exitCode === null && signalCode === null,
	);
	children.clear();
	const exits = running.map((child) => once(child, "exit"));
	for (const child of running) child.kill("SIGKILL");
	await Promise.all(exits);
	rmSync(directory, { recursive: true });
});

interface Started {
	readonly child: ChildProcess;
	readonly exit: Promise<unknown>;
	/** Resolves with the output as soon as it matches; rejects when the process ends before. */
	readonly said: (pattern: RegExp) => Promise<string>;
}

function start(body: string): Started {
	const args = ["--input-type=module", "-e", `${PRELUDE}${body}`, file];
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
	children.add(child);
	let output = "";
	child.stdout.setEncoding("utf8").on("data", (part: string) => {
		output += part;
	});
	const exit = once(child, "exit");
	const ended = exit.then(() => {
		throw new Error(`the process ended after it had said: ${output}`);
	});
	ended.catch(() => undefined);
	const said = async (pattern: RegExp): Promise<string> => {
		while (!pattern.test(output)) await Promise.race([once(child.stdout, "data"), ended]);
		return output;
	};
	return { child, exit, said };
}

thorough("of two processes that race for a run exactly one takes it", async () => {
	// Both live on after their answer, as the run of a dead process is free.
	const body = `
		process.stdin.once("data", async () => {
			try { process.stdout.write("taken " + (await leases.take("r")).epoch + ";"); }
			catch (error) { process.stdout.write(error.code + ";"); }
		});
		process.stdout.write("ready ");`;
	const racers = [start(body), start(body)];
	await Promise.all(racers.map(({ said }) => said(/ready/)));
	for (const { child } of racers) child.stdin?.write("go");
	const answers = await Promise.all(racers.map(({ said }) => said(/;/)));
	expect(answers.sort()).toEqual(["ready run-held;", "ready taken 1;"]);
});

test("the run of a killed process is taken over at once, by the next epoch", async () => {
	const { child, exit, said } = start(
		"await leases.take('r'); process.stdout.write('held'); setInterval(() => {}, 1000);",
	);
	await said(/./);
	const db = openDatabase(file);
	const leases = sqliteLeases(db, { clock: systemClock });
	await expect(leases.take("r")).rejects.toMatchObject({
		code: "run-held",
		message: textWith(`pid ${child.pid}`),
	});
	child.kill("SIGKILL");
	await exit;
	expect(await leases.holder("r")).toBeUndefined();
	const lease = await leases.take("r");
	expect(lease.epoch).toBe(2);
	await lease.release();
	db.close();
});

thorough("a held lease keeps no process running", async () => {
	const { exit } = start("await leases.take('r');");
	expect(await exit).toEqual([0, null]);
});

test("four processes that open a new database and write at once lose nothing", async () => {
	const body = `
		const lease = await leases.take("run-" + process.pid);
		const run = { ...JSON.parse(${JSON.stringify(JSON.stringify(run()))}), runId: lease.runId };
		await records.createRun(run, [], lease);
		for (let turn = 0; turn < 50; turn += 1) {
			const key = { runId: lease.runId, taskId: "t", turn, step: "s" };
			await records.commit(lease, [{ kind: "step", key, result: turn }]);
		}
		await lease.release();`;
	const writers = [1, 2, 3, 4].map(() => start(body));
	const ends = await Promise.all(writers.map(({ exit }) => exit));
	expect(ends).toEqual(writers.map(() => [0, null]));
	const db = openDatabase(file);
	expect(await sqliteRecords(db).runs()).toHaveLength(4);
	expect(db.get("SELECT count(*) AS steps FROM steps")).toEqual({ steps: 200 });
	db.close();
});

test("a commit that a kill cuts off is there as a whole or not at all", async () => {
	const db = openDatabase(file);
	const leases = sqliteLeases(db, { clock: systemClock });
	const lease = await leases.take(RUN);
	await sqliteRecords(db).createRun(run(), [], lease);
	await lease.release();
	const { child, exit, said } = start(`
		const lease = await leases.take(${JSON.stringify(RUN)});
		for (let turn = 0; ; turn += 1) {
			const writes = ["a", "b", "c"].map((step) => ({
				kind: "step", key: { runId: lease.runId, taskId: "t", turn, step }, result: turn,
			}));
			await records.commit(lease, writes);
			if (turn === 20) process.stdout.write("going");
		}`);
	await said(/./);
	child.kill("SIGKILL");
	await exit;
	const torn = db.all("SELECT turn FROM steps GROUP BY turn HAVING count(*) <> 3");
	expect(torn).toEqual([]);
	expect(db.get("SELECT count(*) > 60 AS going FROM steps")).toEqual({ going: 1 });
	db.close();
});
