import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough, thoroughly } from "../support/amount.ts";
import type { SparResult } from "../support/spar.ts";
import {
	APPROVAL,
	APPROVES,
	type Stage,
	sendsBack,
	stage,
	TAP_OK,
	TAP_RED,
	textLike,
	WORKS,
} from "./stage.ts";

const USER = '"$HOME/project"';

/** A branch of the run as a shell word: the run's id is known only once the run goes on. */
const branch = (name: string) =>
	`$(git -C ${USER} for-each-ref --format='%(refname:short)' 'refs/heads/sparring/*/${name}')`;
/** The commands between backticks of a text, run as they stand by a user at the top of the repository. */
function commandsIn(text: string): string[] {
	return [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command);
}

/** Runs a git command of a text word by word. */
function obey({ repo }: Stage, command: string): void {
	const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
		([, quoted, word]) => quoted ?? word ?? "",
	);
	expect(words[0]).toBe("git");
	repo.git(...words.slice(1));
}

/** A task of two turns; in another terminal the user runs commands while the coach looks at the first one. */
const meanwhile = (commands: string) =>
	stage({
		steps: [
			WORKS,
			{
				role: "coach",
				turn: 1,
				report: sendsBack({ issue: "more", severity: "major" }),
				run: commands,
			},
			{
				role: "coach",
				report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
			},
		],
	});

const TWO_TURNS = "turn 1\nturn 2";

thorough(
	"clean worktrees on a run's branches go along, what is committed there undoes nothing, and prune keeps them",
	async () => {
		const set = meanwhile(
			`git -C ${USER} switch --quiet ${branch("integration")} && git -C ${USER} worktree add --quiet "$HOME/linked copy" ${branch("one")}`,
		);
		const { repo } = set;
		const { code, report, task } = await set.run();
		expect(code).toBe(0);
		for (const [name, head] of [
			["project", report.branch],
			["linked copy", task.branch],
		] as const) {
			const at = (...args: string[]) => repo.git("-C", join(repo.home, name), ...args);
			expect(at("status", "--porcelain")).toBe("");
			expect(at("symbolic-ref", "--short", "HEAD")).toBe(head);
			expect(at("show", "HEAD:work.txt")).toBe(TWO_TURNS);
		}
		repo.write({ "note.txt": "A note.\n" });
		repo.commit("A note");
		expect(await set.json("land")).toMatchObject({ outcome: "landed", undone: [] });
		expect(repo.git("show", "main:work.txt")).toBe(TWO_TURNS);
		for (const name of [report.branch, task.branch]) {
			const kept = await set.spar(["prune", "--force"]);
			expect(kept.stdout).toContain(`kept ${report.run_id}: ${name} is checked out in`);
			const [leave = ""] = commandsIn(kept.stdout);
			obey(set, leave);
		}
		expect(repo.git("symbolic-ref", "--short", "HEAD")).toBe("main");
		expect(await set.json("prune", "--force")).toMatchObject({ pruned: [report.run_id], kept: [] });
	},
);

thorough(
	"worktrees with changes on a run's branches are refused with the way out, and the run goes on",
	async () => {
		const set = meanwhile(
			`git -C ${USER} worktree add --quiet "$HOME/linked copy" ${branch("one")} && echo mine >> "$HOME/linked copy/work.txt"`,
		);
		const { repo } = set;
		const wayOut = (ended: SparResult, name: string, root: string) => {
			expect(ended.code).toBe(2);
			expect(ended.stderr).toContain(`${name} in ${root} has changes in the way: "work.txt"`);
			expect(repo.git("-C", root, "status", "--porcelain")).toMatch(/^.. work.txt$/);
			const [stash = "", leave = ""] = commandsIn(ended.stderr);
			obey(set, stash);
			obey(set, leave);
			expect(repo.git("-C", root, "status", "--porcelain")).toBe("");
		};
		wayOut(await set.spar(["run"]), "/one", join(repo.home, "linked copy"));
		const integration = repo.git(
			"for-each-ref",
			"--format=%(refname:short)",
			"refs/heads/sparring/*/integration",
		);
		repo.git("switch", "--quiet", integration);
		repo.write({ "work.txt": "changed\n" });
		wayOut(await set.spar(["resume"]), integration, repo.root);
		const { code, report, task } = await set.resume();
		expect([code, task.merged]).toEqual([0, true]);
		// One call for each turn of each seat: nothing that was answered was asked for again.
		expect(set.agents.calls().filter(({ event }) => event === "start")).toHaveLength(4);
		expect(repo.git("show", `${report.branch}:work.txt`)).toBe(TWO_TURNS);
	},
);

const STEPS = [WORKS, APPROVES];

thoroughly("spar land", () => {
	/** Commands that stop in the middle of something on the base, where, and the one that ends it. */
	const OPERATIONS = [
		["project", "rebase", ["rebase", "other"], "rebase --abort"],
		["project", "merge", ["merge", "other"], "merge --abort"],
		["linked", "rebase", ["rebase", "other"], "rebase --abort"],
		["linked", "bisect", ["bisect", "start", "HEAD", "HEAD~1"], "bisect reset"],
	] as const;

	thorough(
		"is refused while the base is rebased, bisected or merged, here and in a linked worktree",
		async () => {
			const set = stage({ steps: STEPS, files: { "note.txt": "first\n" } });
			const { repo } = set;
			repo.git("switch", "--quiet", "--create", "other");
			repo.write({ "note.txt": "other\n" });
			repo.commit("Other");
			repo.git("switch", "--quiet", "main");
			repo.write({ "note.txt": "main\n" });
			repo.commit("On main");
			const { report } = await set.run();
			const before = repo.git("rev-parse", "main", report.branch);
			const linkedRoot = join(repo.home, "linked");
			for (const [name, operation, begin, end] of OPERATIONS) {
				const root = join(repo.home, name);
				if (name === "linked" && !existsSync(root)) {
					repo.git("switch", "--quiet", "--detach");
					repo.git("worktree", "add", "--quiet", root, "main");
				}
				const stops = () => repo.git("-C", root, ...begin);
				if (operation === "bisect") stops();
				else expect(stops).toThrow("exited with 1");
				const refused = await set.spar(["land"]);
				expect(refused.code).toBe(2);
				expect(refused.stderr).toContain(`a git ${operation} is in progress in ${root}`);
				const [wayOut = ""] = commandsIn(refused.stderr);
				expect(wayOut).toBe(`git -C ${root} ${end}`);
				obey(set, wayOut);
				expect(repo.git("rev-parse", "main", report.branch)).toBe(before);
			}
			expect(await set.json("land")).toMatchObject({ outcome: "landed" });
			expect(repo.git("-C", linkedRoot, "status", "--porcelain")).toBe("");
			expect(repo.git("show", "main:work.txt")).toBe("turn 1");
		},
	);

	thorough(
		"the way out of a conflict is followed word by word, and the result is checked and landed",
		async () => {
			const set = stage({ steps: STEPS });
			const { repo } = set;
			const { report } = await set.run();
			repo.write({ "work.txt": "mine\n" });
			repo.commit("Conflict");
			const refused = await set.spar(["land"]);
			expect(refused.code).toBe(1);
			const commands = commandsIn(refused.stdout);
			expect(commands).toHaveLength(5);
			const [change = "", merge = "", commit = "", back = "", again = ""] = commands;
			obey(set, change);
			expect(() => obey(set, merge)).toThrow("exited with 1");
			// In the middle of it nothing lands, and nothing is lost.
			const early = await set.spar(["land"]);
			expect(early.code).toBe(2);
			expect(early.stderr).toContain("a git merge is in progress");
			repo.write({ "work.txt": "mine\nturn 1\n", "results.tap": TAP_RED });
			obey(set, commit);
			obey(set, back);
			expect(again).toBe(`spar land ${report.run_id}`);
			const red = await set.spar(again.split(" ").slice(1));
			expect([red.code, red.stdout]).toEqual([1, textLike("did not test, and tests failed")]);
			repo.git("switch", "--quiet", report.branch);
			repo.write({ "results.tap": TAP_OK });
			repo.commit("Green again");
			expect(await set.json("land")).toMatchObject({ outcome: "landed", undone: [] });
			expect(repo.git("show", "main:work.txt")).toBe("mine\nturn 1");
			expect(repo.git("status", "--porcelain")).toBe("");
		},
	);

	thorough(
		"a moved base takes the checkout of the integration branch along, and a revert made there is told by name",
		async () => {
			const set = stage({ steps: STEPS });
			const { repo } = set;
			const { report } = await set.run();
			repo.write({ "other.txt": "meanwhile\n" });
			repo.commit("Meanwhile");
			repo.git("switch", "--quiet", report.branch);
			repo.write({ "work.txt": null });
			repo.commit("An innocent note");
			const landed = await set.spar(["land", "--json"]);
			expect(landed.code).toBe(0);
			expect(JSON.parse(landed.stdout)).toMatchObject({
				undone: [{ task: "one", paths: ["work.txt"], whole: true }],
			});
			expect(landed.stderr).toContain("undo all of the merged task one: work.txt");
			expect(repo.git("status", "--porcelain")).toBe("");
			expect(repo.read("other.txt")).toBe("meanwhile\n");
			expect(repo.git("rev-parse", "HEAD")).toBe(repo.git("rev-parse", "main"));
		},
	);
});

test("merge.into: base is refused before the first call while the base is being rebased", async () => {
	const set = stage({ steps: STEPS, workflow: { base: "main", merge: { into: "base" } } });
	set.repo.git("bisect", "start");
	const refused = await set.spar(["run"]);
	expect([refused.code, refused.stderr]).toEqual([2, textLike("a git bisect is in progress")]);
	expect(set.agents.calls()).toEqual([]);
});
