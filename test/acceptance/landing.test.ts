import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
	APPROVES,
	CRITERION,
	listWith,
	type Stage,
	sendsBack,
	stage,
	TAP_OK,
	textLike,
	WORKS,
} from "./stage.ts";

const STEPS = [WORKS, APPROVES];

async function completed(
	more: Readonly<Record<string, unknown>> = {},
): Promise<Stage & { readonly id: string; readonly branch: string }> {
	const set = stage({ steps: STEPS, workflow: more });
	const { code, report } = await set.run();
	expect(code).toBe(0);
	return { ...set, id: report.run_id, branch: report.branch };
}

describe("spar land", () => {
	test("fast-forwards the base, refuses over a dirty checkout first, says when it is done already and how it is taken back", async () => {
		const { repo, spar, json, branch } = await completed();
		repo.write({ "work.txt": "mine\n", "results.tap": "changed by hand\n" });
		const dirty = await spar(["land"]);
		expect(dirty.code).toBe(2);
		expect(dirty.stderr).toMatch(/in the way: "work.txt"\n.*stash/i);
		expect(repo.read("work.txt")).toBe("mine\n");
		rmSync(join(repo.root, "work.txt"));
		const before = repo.git("rev-parse", "main");
		const landed = await spar(["land"]);
		expect(landed.stdout).toMatch(/^landed \S+ on main at [0-9a-f]{40}\n/);
		expect(repo.git("rev-parse", "main")).toBe(repo.git("rev-parse", branch));
		expect(repo.read("work.txt")).toBe("turn 1\n");
		// What the landed work does not touch is no reason to refuse, and stays.
		expect(repo.git("status", "--porcelain")).toBe(" M results.tap");
		expect(repo.read("results.tap")).toBe("changed by hand\n");
		expect(await json("land")).toMatchObject({ outcome: "already_landed" });
		expect(await json("runs")).toMatchObject([{ landed: true }]);
		const [, takesBack = ""] = /^to take it back: (.*)$/m.exec(landed.stdout) ?? [];
		execFileSync("sh", ["-c", takesBack], { cwd: repo.root, env: repo.env, stdio: "pipe" });
		expect(repo.git("rev-parse", "HEAD")).toBe(before);
		expect(repo.git("status", "--porcelain")).toBe(" M results.tap");
	});

	thorough(
		"a branch that was set back by one of two tasks is refused, and lands nothing",
		async () => {
			const overlays = {
				paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
			};
			const task = { description: "Do it.", acceptance_criteria: [CRITERION], overlays };
			const set = stage({
				steps: [{ role: "player", run: 'echo x > "$SPAR_TASK.txt"' }, APPROVES],
				workflow: { tasks: { one: task, two: { ...task, depends_on: ["one"] } } },
			});
			const { report } = await set.run();
			const { git } = { git: (...args: string[]) => set.repo.git(...args) };
			const [merged, base] = [git("rev-parse", report.branch), git("rev-parse", "main")];
			git("branch", "--force", report.branch, `${report.branch}~1`);
			const refused = await set.spar(["land"]);
			expect([refused.code, refused.stderr]).toEqual([
				2,
				textLike(`git branch -f ${report.branch} ${merged}`),
			]);
			expect(refused.stderr).not.toContain("by hand");
			expect(git("rev-parse", "main")).toBe(base);
		},
	);

	thorough("a base that is another name of a branch stands for that branch", async () => {
		const set = stage({ steps: STEPS, workflow: { base: "trunk" } });
		set.repo.git("symbolic-ref", "refs/heads/trunk", "refs/heads/main");
		const { report } = await set.run();
		expect(report.base).toBe("main");
		expect(await set.json("land")).toMatchObject({ outcome: "landed", branch: "main" });
		expect(set.repo.git("symbolic-ref", "refs/heads/trunk")).toBe("refs/heads/main");
	});

	thorough(
		"a change that git was told not to look at is refused with the flag's way out",
		async () => {
			const writes = { role: "player", run: "echo more >> a.txt" } as const;
			const { repo, run, spar } = stage({ steps: [writes, APPROVES], files: { "a.txt": "a\n" } });
			await run();
			repo.git("update-index", "--assume-unchanged", "a.txt");
			repo.write({ "a.txt": "mine\n" });
			const { code, stderr } = await spar(["land"]);
			expect([code, stderr]).toEqual([2, textLike("--no-assume-unchanged")]);
			expect(repo.read("a.txt")).toBe("mine\n");
		},
	);

	thorough(
		"a run's branch that was set back has not landed: refused with the command that puts it back",
		async () => {
			const { repo, spar, json, branch } = await completed();
			const merged = repo.git("rev-parse", branch);
			repo.write({ "other.txt": "meanwhile\n" });
			const moved = repo.commit("Meanwhile");
			repo.git("branch", "--force", branch, "main");
			const refused = await spar(["land"]);
			expect([refused.code, refused.stderr]).toEqual([
				2,
				textLike(`git branch -f ${branch} ${merged}`),
			]);
			expect(repo.git("rev-parse", "main")).toBe(moved);
			repo.git("branch", "--force", branch, merged);
			expect(await json("land")).toMatchObject({ outcome: "landed" });
			expect(repo.read("work.txt")).toBe("turn 1\n");
		},
	);

	thorough("merges a base that moved, checks the result, and lands exactly that", async () => {
		const { repo, json } = await completed();
		repo.write({ "other.txt": "meanwhile\n" });
		const moved = repo.commit("Meanwhile");
		expect(await json("land")).toMatchObject({ outcome: "landed" });
		expect(repo.git("merge-base", "--is-ancestor", moved, "main")).toBe("");
		expect(repo.git("log", "-1", "--format=%an %s", "main")).toMatch(/^Test Merge main into /);
		expect([repo.read("work.txt"), repo.read("other.txt")]).toEqual(["turn 1\n", "meanwhile\n"]);
		expect(repo.git("status", "--porcelain")).toBe("");
	});

	thorough("that ends between the two branches takes its own merge for nobody else's", async () => {
		const { repo, spar } = await completed();
		repo.write({ "other.txt": "meanwhile\n" });
		repo.commit("Meanwhile");
		repo.write({ ".git/index.lock": "" });
		expect((await spar(["land"])).code).toBe(2);
		repo.write({ ".git/index.lock": null });
		const again = await spar(["land"]);
		expect(again.code, again.stderr).toBe(0);
		expect(again.stderr).not.toContain("somebody else");
		expect(repo.git("log", "-1", "--format=%s", "main")).toMatch(/^Merge main into /);
	});

	thorough(
		"refuses a moved base that conflicts or turns the checks red, and changes nothing",
		async () => {
			const { repo, spar } = await completed();
			const before = repo.commit("Nothing yet");
			repo.write({ "work.txt": "mine\n" });
			const conflicting = repo.commit("Conflict");
			const refused = await spar(["land"]);
			expect(refused.code).toBe(1);
			expect(refused.stdout).toContain("work.txt");
			expect(repo.git("rev-parse", "main")).toBe(conflicting);
			repo.git("reset", "--quiet", "--hard", before);
			repo.write({ "results.tap": "TAP version 13\n1..1\nnot ok 1 - works\n" });
			const red = repo.commit("Red");
			const again = await spar(["land"]);
			expect(again.code).toBe(1);
			expect(again.stdout).toContain("tests failed");
			expect(repo.git("rev-parse", "main")).toBe(red);
		},
	);

	thorough(
		"a refusal for red checks names the test and its output, and its commands lead out",
		async () => {
			const { repo, spar, json, id, branch } = await completed();
			repo.write({ "results.tap": "TAP version 13\n1..2\nok 1 - works\nnot ok 2 - adds\n" });
			repo.commit("Red");
			const { code, stdout } = await spar(["land"]);
			expect(code).toBe(1);
			expect(stdout).toContain("tests failed: 1 of 2 tests failed: adds; output: .sparring/");
			const file = /output: (\S+\.log)/.exec(stdout)?.[1] ?? "";
			expect(repo.read(file)).toContain("not ok 2 - adds");
			const commands = [...stdout.matchAll(/`(git [^`]+)`/g)].map(([, command = ""]) => command);
			expect(commands).toEqual([
				`git switch ${branch}`,
				"git merge --no-edit main",
				"git commit --all",
				"git switch -",
			]);
			for (const command of commands) {
				const [, ...words] = command.split(" ");
				// What only a person can do: make the checks pass, and say what that was.
				const isCommit = words[0] === "commit";
				if (isCommit) repo.write({ "results.tap": TAP_OK });
				repo.git(...words, ...(isCommit ? ["--message", "Make it pass"] : []));
			}
			expect(stdout).toContain(`and \`spar land ${id}\`. The result is checked`);
			expect(await json("land", id)).toMatchObject({ outcome: "landed" });
			expect([repo.read("results.tap"), repo.read("work.txt")]).toEqual([TAP_OK, "turn 1\n"]);
		},
	);

	thorough("moves a base that is not checked out, without touching the checkout", async () => {
		const { repo, json } = await completed();
		repo.git("checkout", "--quiet", "-b", "elsewhere");
		expect(await json("land")).toMatchObject({ outcome: "landed", branch: "main" });
		expect(repo.read("work.txt")).toBeUndefined();
		expect(repo.git("show", "main:work.txt")).toBe("turn 1");
		expect(repo.git("status", "--porcelain")).toBe("");
	});
});

describe("merge.into", () => {
	thorough(
		"base: the run lands by itself at its end, beside changes that it does not touch",
		async () => {
			const set = stage({ steps: STEPS, workflow: { merge: { into: "base" } } });
			const { repo } = set;
			repo.write({ "results.tap": "changed by hand\n" });
			expect((await set.run()).code).toBe(0);
			expect(repo.git("status", "--porcelain")).toBe(" M results.tap");
			expect(repo.git("show", "main:work.txt")).toBe("turn 1");
			expect(repo.read("work.txt")).toBe("turn 1\n");
		},
	);

	test("none: nothing is merged and there is nothing to land", async () => {
		const set = stage({ steps: STEPS, workflow: { merge: { into: "none" } } });
		const { code, task, report } = await set.run();
		expect(code).toBe(0);
		expect(task).toMatchObject({ status: "completed", merged: false });
		expect(set.repo.git("show", `${task.branch}:work.txt`)).toBe("turn 1");
		expect(set.repo.git("rev-parse", report.branch)).toBe(set.repo.git("rev-parse", "main"));
		const landed = await set.spar(["land"]);
		expect(set.repo.git("rev-parse", "main")).toBe(set.repo.git("rev-parse", report.branch));
		expect(landed).toMatchObject({ code: 2, stdout: "", stderr: textLike("has merged anything") });
	});
});

describe("spar prune", () => {
	test("keeps unmerged work unless it is forced, and keeps the records", async () => {
		const { repo, id, branch, spar, json } = await completed();
		const all = () => [
			repo.git("for-each-ref"),
			...readdirSync(repo.home, { recursive: true }).map(String).sort(),
		];
		const before = all();
		expect(await json("prune", "--dry-run")).toMatchObject({ dry_run: true, pruned: [] });
		expect(await json("prune", "--dry-run", "--force")).toMatchObject({
			pruned: [id],
			freed: [{ run_id: id }],
			archived: listWith({ branch, ref: `refs/sparring/archive/${id}/integration` }),
		});
		expect(all()).toEqual(before);
		expect(await json("prune")).toMatchObject({ pruned: [], kept: [{ run_id: id }] });
		expect(repo.git("rev-parse", "--verify", branch)).not.toBe("");
		const tip = repo.git("rev-parse", branch);
		expect(await json("prune", "--force")).toMatchObject({
			pruned: [id],
			kept: [],
			left_over: [],
			freed: [{ run_id: id }],
			archived: listWith({ branch, ref: `refs/sparring/archive/${id}/integration`, commit: tip }),
		});
		expect(repo.git("for-each-ref", "refs/heads/sparring", `refs/sparring/${id}`)).toBe("");
		expect(repo.git("rev-parse", `refs/sparring/archive/${id}/integration`)).toBe(tip);
		const left = readdirSync(join(repo.root, ".sparring"), { recursive: true }).map(String);
		expect(left.filter((path) => path.includes(id) || path.endsWith(".json"))).toEqual([]);
		expect(await json("status", id)).toMatchObject({
			status: "completed",
			files_removed: true,
			tasks: { one: { trace_path: null } },
		});
		expect(await json("trace", "one")).toMatchObject({ run_id: id, files_removed: true });
		expect((await spar(["trace", "one"])).stdout).toContain("were removed");
		expect(await spar(["diff", "one"])).toMatchObject({ code: 0, stdout: textLike("turn 1") });
		expect((await spar(["prune"])).stderr).toContain("nothing to prune");
	});

	thorough("removes a run that has landed, and leaves one that waits", async () => {
		const { id, spar, json } = await completed();
		expect((await spar(["land"])).code).toBe(0);
		expect(await json("prune")).toMatchObject({ pruned: [id], kept: [], archived: [] });
		const waiting = stage({
			human: true,
			steps: [WORKS, { role: "coach", report: sendsBack({ issue: "x", severity: "critical" }) }],
		});
		const { code, report } = await waiting.run();
		expect(code).toBe(3);
		expect(await waiting.json("prune", "--force")).toMatchObject({
			pruned: [],
			kept: [{ run_id: report.run_id, reason: textLike("spar cancel") }],
		});
		expect((await waiting.spar(["cancel"])).code).toBe(0);
		expect(await waiting.json("status")).toMatchObject({
			status: "cancelled",
			tasks: { one: { status: "cancelled", human_item: null } },
		});
	});
});

/**
 * A run that lands by itself, whose base moves while its player works. The check of the landing waits for `goes`, and tells so
 * by `checking`.
 */
async function atItsLanding() {
	const [goes, checking] = ["goes", "checking"];
	const waits = (home: string): string =>
		`[ -e moved.txt ] || exit 0; touch ${join(home, checking)}; until [ -e ${join(home, goes)} ]; do sleep 0.05; done`;
	const set = stage({ steps: STEPS });
	const { repo } = set;
	const home = join(repo.root, ".git");
	set.rewrite({
		merge: { into: "base" },
		agents: {
			...set.agents.agents,
			dev: {
				adapter: "command",
				run: [
					"sh",
					"-c",
					`echo work > work.txt; echo '{}' > "$SPAR_REPORT"; touch ${join(home, "works")}; until [ -e ${join(home, "moved")} ]; do sleep 0.05; done`,
				],
			},
		},
		checks: { tests: { kind: "acceptance", run: waits(home), report: { format: "exit" } } },
	});
	repo.commit("It lands");
	const ended = set.spar(["run", "--json"]);
	await waitUntil("the player works", () => existsSync(join(home, "works")));
	repo.write({ "moved.txt": "moved\n" });
	repo.commit("The base moves");
	const base = repo.git("rev-parse", "main");
	writeFileSync(join(home, "moved"), "");
	await waitUntil("the landing is checked", () => existsSync(join(home, checking)));
	return { ...set, base, ended, goOn: () => writeFileSync(join(home, goes), "") };
}

thorough(
	"a run that is cancelled while it lands ends with 4, and lands once it is asked to",
	async () => {
		const { spar, json, repo, base, ended, goOn } = await atItsLanding();
		expect(await json("cancel")).toMatchObject({ status: "cancelled", landed: false });
		expect((await ended).code).toBe(4);
		expect(repo.git("rev-parse", "main")).toBe(base);
		expect((await spar(["resume"])).stderr).toContain("no run is waiting to be resumed");
		goOn();
		expect(await json("land")).toMatchObject({ outcome: "landed" });
		expect(repo.read("work.txt")).toBe("work\n");
	},
);
