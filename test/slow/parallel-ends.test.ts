import { rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import {
	type Crew,
	crew,
	expectAllMerged,
	expectTidy,
	mergeCount,
	OWN_FILE,
	standing,
	strike,
	waitFor,
} from "../acceptance/crew.ts";
import { APPROVAL } from "../acceptance/stage.ts";
import { thorough, thoroughly } from "../support/amount.ts";
import { killAllOf } from "../support/processes.ts";
import type { Step } from "../support/scripted-agents.ts";
import { sparProcess } from "../support/spar.ts";
import { runIds, stateRows } from "../support/state-rows.ts";
import { USER_HOME } from "../support/user-home.ts";
import { waitUntil } from "../support/wait-until.ts";

const ILL_MACHINE = join(import.meta.dirname, "../support/ill-machine.mjs");

const RUNNING = { a: "running", b: "running", c: "running", d: "pending" };
const CANCELLED = { a: "cancelled", b: "cancelled", c: "cancelled", d: "cancelled" };

/** Works at once, while `a` and `b` wait. */
const QUICK_C: Step = { role: "player", task: "c", run: `touch "$HOME/at.c"; ${OWN_FILE}` };

/** The first check on a tree that holds the work of `c` and of another one does this; the others are as ever. */
const firstCold = (action: string): Readonly<Record<string, string>> => ({
	"check.sh": `case $PWD in */integration/*)
	if [ -e c.txt ] && [ -e list.txt ] && mkdir "${USER_HOME}/cold" 2>/dev/null; then ${action}; fi;;
esac
cat results.tap
`,
});

const HANGS = "while :; do sleep 0.1; done";

/** Three tasks are approved: one has merged, the next hangs in its check, the third waits behind it. */
async function fullQueue(action = HANGS) {
	const set = crew({ steps: [strike(":")], files: firstCold(action) });
	const run = set.start(["run"]);
	await waitUntil("three in the queue", () => {
		const routed = stateRows(set.repo, "SELECT id FROM events WHERE type = 'turn-routed'");
		return set.told("cold") && routed.length === 3;
	});
	return { set, run };
}

thoroughly("Ctrl-C", () => {
	thorough("while four agents work ends them all, and a resume finishes everything", async () => {
		const set = crew({
			steps: [
				{
					role: "player",
					task: "d",
					run: `touch "$HOME/at.d"; ${waitFor("struck")}; ${OWN_FILE}`,
				},
			],
			tasks: { d: { depends_on: [] } },
		});
		const run = set.start(["run"]);
		await set.allAtWork();
		await waitUntil("the fourth", () => set.told("at.d"));
		run.child.kill("SIGINT");
		const { code, stderr } = await run.ended;
		expect(code, stderr).toBe(130);
		expect(stderr).toContain(`spar resume ${runIds(set.repo)[0]}`);
		expect(standing(set)).toEqual({ ...RUNNING, d: "running" });
		expectTidy(set);
		set.signal("struck");
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	});

	thorough("while others wait in the queue behind a check ends every wait", async () => {
		const { set, run } = await fullQueue();
		run.child.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
		expectTidy(set);
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	});
});

thoroughly("a kill", () => {
	thorough(
		"of the orchestrator while the first of the queue is tested: a resume ends its check, and all merge",
		async () => {
			const { set, run } = await fullQueue();
			run.child.kill("SIGKILL");
			await run.ended;
			expectAllMerged(set, await set.spar(["resume"]));
			expect(mergeCount(set)).toBe(4);
		},
	);

	thorough("of everything at once, while three agents work", async () => {
		const set = crew({ steps: [] });
		const run = set.start(["run"]);
		await set.allAtWork();
		killAllOf(set.repo);
		await run.ended;
		set.signal("struck");
		expectAllMerged(set, await set.spar(["resume"]));
	});
});

thoroughly("the first of the queue", () => {
	thorough("whose checkout is deleted under its check holds nobody else up", async () => {
		const set = crew({ steps: [strike(":")], files: firstCold('rm -rf "$PWD"') });
		const ended = await set.spar(["run"]);
		expectAllMerged(set, ended);
		expect(mergeCount(set)).toBe(4);
	});

	thorough("and the second may be approved in the same moment", async () => {
		const meets = (id: string): Step => ({
			role: "coach",
			task: id,
			turn: 1,
			run: `touch "$HOME/judged.${id}"; ${waitFor("judged.a")}; ${waitFor("judged.b")}`,
			report: APPROVAL,
		});
		const set = crew({ steps: [strike(":"), meets("a"), meets("b")] });
		expectAllMerged(set, await set.spar(["run"]));
		expect(mergeCount(set)).toBe(4);
	});
});

thoroughly("spar cancel", () => {
	thorough(
		"from elsewhere while agents work ends them all; what had merged stays merged",
		async () => {
			const set = crew({ steps: [QUICK_C] });
			const run = set.start(["run"]);
			await set.allAtWork();
			await waitUntil("c has merged", () => standing(set)["c"] === "completed, merged");
			const cancelled = await set.spar(["cancel"]);
			const ended = await run.ended;
			expect(cancelled.code, cancelled.stderr).toBe(0);
			expect(ended.code, ended.stderr).toBe(4);
			expect(standing(set)).toEqual({ ...CANCELLED, c: "completed, merged" });
			expectTidy(set);
			const [id = ""] = runIds(set.repo);
			expect((await set.spar(["resume", id])).code).toBe(2);
			expect((await set.spar(["cancel", id])).code).toBe(0);
			const pruned = await set.spar(["prune"]);
			expect(pruned.code, pruned.stderr).toBe(0);
			expectTidy(set);
		},
	);

	thorough("while the queue waits for a check ends every wait", async () => {
		const { set, run } = await fullQueue();
		expect((await set.spar(["cancel"])).code).toBe(0);
		expect((await run.ended).code).toBe(4);
		expect(Object.values(standing(set)).toSorted()).toEqual([
			"cancelled",
			"cancelled",
			"cancelled",
			"completed, merged",
		]);
		expectTidy(set);
		expect(mergeCount(set)).toBe(1);
	});

	thorough("of a killed run with three agents at work ends what it left", async () => {
		const set = crew({ steps: [] });
		const run = set.start(["run"]);
		await set.allAtWork();
		run.child.kill("SIGKILL");
		await run.ended;
		const cancelled = await set.spar(["cancel"]);
		expect(cancelled.code, cancelled.stderr).toBe(0);
		expect(standing(set)).toEqual(CANCELLED);
		expectTidy(set);
	});
});

test("an answer to one task's question is taken up by the process that works on the others", async () => {
	const set = crew({ steps: [QUICK_C], human: true, tasks: { c: { requires_human: true } } });
	const run = set.start(["run"]);
	await set.allAtWork();
	const items = () => stateRows(set.repo, "SELECT item_id FROM items WHERE status = 'PENDING'");
	await waitUntil("a question", () => items().length === 1);
	const resolved = await set.spar(["hil", "resolve", String(items()[0]?.["item_id"])]);
	expect(resolved.code, resolved.stderr).toBe(0);
	await waitUntil("c has merged", () => standing(set)["c"] === "completed, merged");
	expect(standing(set)).toMatchObject({ a: "running", b: "running" });
	set.signal("struck");
	expectAllMerged(set, await run.ended);
	expect(mergeCount(set)).toBe(4);
});

/** Everything that a process could have written: rows, refs and files. */
function allOf(set: Crew): unknown {
	const tables = stateRows(set.repo, "SELECT name FROM sqlite_schema WHERE type = 'table'");
	const rows = tables.map(({ name }) => stateRows(set.repo, `SELECT * FROM "${String(name)}"`));
	return { rows, refs: set.repo.git("for-each-ref") };
}

/** The lease as one of another machine whose last sign of life is long past. */
function expireLease({ repo }: Crew): void {
	const db = new DatabaseSync(join(repo.root, ".sparring", "sparring.db"), { timeout: 5_000 });
	try {
		db.exec(
			"UPDATE leases SET host = 'elsewhere', boot = 'another', namespace = 'another', beat = 0",
		);
	} finally {
		db.close();
	}
}

thoroughly("two orchestrators", () => {
	thorough(
		"of a run under way, the second is refused and the first goes on undisturbed",
		async () => {
			const set = crew({ steps: [] });
			const run = set.start(["run"]);
			await set.allAtWork();
			const both = await Promise.all([set.spar(["resume"]), sparProcess(set.repo, ["resume"])]);
			for (const { code, stderr } of both) {
				expect(code, stderr).toBe(2);
				expect(stderr).toContain(`${hostname()}:pid ${run.child.pid}`);
			}
			set.signal("struck");
			expectAllMerged(set, await run.ended);
			expect(mergeCount(set)).toBe(4);
		},
	);

	thorough("that resume a killed run at once: one of them does it", async () => {
		const set = crew({ steps: [] });
		const run = set.start(["run"]);
		await set.allAtWork();
		run.child.kill("SIGKILL");
		await run.ended;
		set.signal("struck");
		const both = await Promise.all([1, 2].map(() => sparProcess(set.repo, ["resume"])));
		const done = both.find(({ code }) => code === 0);
		expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 2]));
		if (done !== undefined) expectAllMerged(set, done);
		expect(mergeCount(set)).toBe(4);
	});
});

thoroughly("a lease that expires under a stopped process", () => {
	async function takenOver(set: Crew, stopped: ReturnType<Crew["start"]>): Promise<void> {
		try {
			expect((await set.spar(["resume"])).stderr).toContain("is held by");
			expireLease(set);
			set.signal("struck");
			const resumed = await set.spar(["resume"]);
			const after = allOf(set);
			stopped.child.kill("SIGCONT");
			const late = await stopped.ended;
			expect(late.code, late.stderr).toBe(2);
			expect(late.stderr).toContain("was taken over by another process");
			expect(allOf(set)).toEqual(after);
			expectAllMerged(set, resumed);
			expect(mergeCount(set)).toBe(4);
		} finally {
			stopped.child.kill("SIGKILL");
		}
	}

	thorough("while its agents work: the late process writes nothing", async () => {
		const set = crew({ steps: [] });
		const run = set.start(["run"]);
		await set.allAtWork();
		run.child.kill("SIGSTOP");
		await takenOver(set, run);
	});

	thorough("in the middle of a merge: the late process merges nothing", async () => {
		const { set, run } = await fullQueue('kill -STOP "$(cat "$HOME/pid")"; touch results.done');
		await takenOver(set, run);
	});
});

thoroughly("a machine that fails while three tasks work", () => {
	const refused = async (code: number, says: string): Promise<void> => {
		const set = crew({ steps: [strike(`echo ${code} > "$HOME/database"`)] });
		const ended = await set.start(["run"], { preload: ILL_MACHINE }).ended;
		expect(ended.code, ended.stderr).toBe(2);
		expect(ended.stderr).toContain(says);
		rmSync(join(set.repo.home, "database"));
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	};

	thorough("a full disk under the database ends the run, and a resume finishes it", async () => {
		await refused(13, "no space is left to write the state database");
	});

	thorough(
		"a database that can no longer be written ends the run, and a resume finishes it",
		async () => {
			await refused(8, "cannot be written");
		},
	);

	thorough("a clock that is set forward and back again changes nothing", async () => {
		const hours = (count: number) => `echo ${count * 3_600_000} > "$HOME/clock"`;
		const set = crew({
			steps: [strike(hours(30)), { role: "player", task: "d", run: `${hours(-30)}; ${OWN_FILE}` }],
			workflow: { budget: { wall: "10m" } },
		});
		writeFileSync(join(set.repo.home, "clock"), "0");
		expectAllMerged(set, await set.start(["run"], { preload: ILL_MACHINE }).ended);
		expect(mergeCount(set)).toBe(4);
	});
});
