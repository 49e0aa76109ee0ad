import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { thorough, thoroughly } from "../support/amount.ts";
import { spar } from "../support/spar.ts";
import { APPROVAL, APPROVES, outcomeOf, sendsBack, stage, WORKS } from "./stage.ts";

describe("the state database", () => {
	const cleans = {
		role: "player",
		run: 'echo x >> work.txt; git -C "$HOME/project" clean -fdxq; sleep 0.4',
	} as const;

	test("that git clean deletes during a run ends it with exit 2, and what is left is named", async () => {
		const { spar, repo, agents } = stage({
			steps: [cleans, APPROVES],
		});
		const ended = await spar(["run"]);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toMatch(/the state of run \S+ is gone, so the run ended/);
		expect(ended.stderr).toMatch(/Still in the repository: sparring\/\S+\/integration/);
		expect(agents.calls().filter(({ role }) => role === "coach")).toEqual([]);
		expect(repo.git("status", "--porcelain")).toBe("");
	});

	thorough(
		"orders runs as they were made, also when the clock was set back in between",
		async () => {
			const set = stage({ steps: [WORKS, APPROVES] });
			const first = await set.run();
			const db = new DatabaseSync(join(set.repo.root, ".sparring", "sparring.db"));
			db.exec("UPDATE runs SET created_at = '2099-01-01T00:00:00.000Z'");
			db.close();
			const second = await set.run();
			expect(await set.json("status")).toMatchObject({ run_id: second.report.run_id });
			expect(await set.json("runs")).toMatchObject([
				{ run_id: second.report.run_id },
				{ run_id: first.report.run_id },
			]);
			expect(await set.json("land")).toMatchObject({ run_id: second.report.run_id });
		},
	);
});

thoroughly("disk", () => {
	/** Allocated bytes of what a run left, as `du` counts them. */
	const used = (...paths: readonly string[]): number =>
		Number(
			spawnSync("du", ["--total", "--block-size=1", ...paths], { encoding: "utf8" })
				.stdout.trim()
				.split("\n")
				.at(-1)
				?.split("\t")[0],
		);

	thorough("prune frees what it says, by run and in all", async () => {
		const set = stage({ steps: [WORKS, APPROVES] });
		const { report } = await set.run();
		const id = report.run_id;
		const state = join(set.repo.root, ".sparring");
		const checkouts = join(set.repo.home, "checkouts");
		const before = used(state, checkouts);
		expect((await set.spar(["land"])).code).toBe(0);
		const told = z
			.object({
				freed_bytes: z.int(),
				freed: z.array(z.object({ run_id: z.string(), bytes: z.int() })),
			})
			.parse(await set.json("prune"));
		expect(told.freed).toEqual([{ run_id: id, bytes: told.freed_bytes }]);
		const gone = before - used(state, checkouts);
		// Folders that others share and the database's log change by a few blocks.
		expect(Math.abs(gone - told.freed_bytes)).toBeLessThan(64 * 1024);
		expect(told.freed_bytes).toBeGreaterThan(20_000);
		expect((await set.spar(["prune"])).stderr).toContain("nothing to prune");
	});

	thorough(
		"keep_runs removes the files of older runs at the end of one; unmerged work and records stay",
		async () => {
			const set = stage({
				steps: [{ ...WORKS, stdout: "said\n" }, APPROVES],
				workflow: { keep_runs: 1 },
			});
			const first = await set.run();
			expect((await set.spar(["land"])).code).toBe(0);
			const second = await set.run();
			const state = join(set.repo.root, ".sparring");
			expect(second.stderr).toMatch(/files of an older run were removed \(keep_runs: 1\)/);
			expect(readdirSync(join(state, "runs"))).toEqual([second.report.run_id]);
			expect(set.repo.git("branch", "--list", `sparring/${first.report.run_id}/*`)).toBe("");
			expect(await set.json("status", first.report.run_id)).toMatchObject({ pruned: true });
			const third = await set.run();
			expect(readdirSync(join(state, "runs"))).toEqual([third.report.run_id]);
			expect(readdirSync(join(state, "transcripts"))).toEqual([third.report.run_id]);
			expect(set.repo.git("rev-parse", second.report.branch)).not.toBe("");
			expect(await set.json("status", second.report.run_id)).toMatchObject({
				pruned: false,
				files_removed: true,
			});
			expect(existsSync(join(set.repo.root, third.task.trace_path ?? ""))).toBe(true);
		},
	);

	const waits = () =>
		stage({
			human: true,
			task: { max_turns: 1 },
			steps: [
				{ role: "player", turn: 1, run: "echo 1 >> work.txt" },
				{ role: "player", run: "git log -1 --format=%H > seen.txt && echo 2 >> work.txt" },
				{ role: "coach", turn: 1, report: sendsBack({ issue: "x", severity: "critical" }) },
				{
					role: "coach",
					report: { ...APPROVAL, findings_status: [{ id: "$ID0", status: "fixed" }] },
				},
			],
		});

	thorough(
		"a repository that was renamed goes on with its checkouts, and a copy of it leaves them alone",
		async () => {
			const set = waits();
			const { code, report, task } = await set.run();
			expect(code).toBe(3);
			const id = readFileSync(join(set.repo.root, ".sparring", "repository-id"), "utf8").trim();
			const checkouts = join(set.repo.home, "checkouts");
			expect(readdirSync(checkouts)).toEqual([id]);
			const [renamed, copy] = ["renamed", "copy"].map((name) => join(set.repo.home, name));
			if (renamed === undefined || copy === undefined) throw new Error("two names");
			renameSync(set.repo.root, renamed);
			const there = { ...set.repo, root: renamed };
			const answer = ["hil", "resolve", String(task.human_item), "--directive", "again"];
			expect((await spar(there, answer)).code).toBe(0);
			cpSync(renamed, copy, { recursive: true, verbatimSymlinks: true });
			const resumed = outcomeOf(await spar(there, ["resume", "--json"]));
			expect(resumed).toMatchObject({ code: 0, task: { turns: 2, merged: true } });
			expect(readdirSync(checkouts)).toEqual([id]);
			const inCopy = await spar({ ...set.repo, root: copy }, ["resume", "--json"]);
			expect(inCopy.stderr).toContain(`is a copy of ${renamed}`);
			expect(outcomeOf(inCopy)).toMatchObject({ code: 0, report: { run_id: report.run_id } });
			expect(readdirSync(checkouts)).toHaveLength(2);
		},
	);
});
