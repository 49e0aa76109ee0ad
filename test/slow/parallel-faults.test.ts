import { describe, expect, test } from "vitest";
import {
	ADD_LINE,
	ALL_MERGED,
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
import { APPROVAL as APPROVED, sendsBack } from "../acceptance/stage.ts";
import { thorough, thoroughly } from "../support/amount.ts";
import { gitTrap, refTrap, TRAPS } from "../support/git-trap.ts";
import { runIds } from "../support/state-rows.ts";

const INTEGRATION = '"sparring/$SPAR_RUN/integration"';

/** What a message says to type, typed. */
function followHint(set: Crew, stderr: string): void {
	const [, branch = "", commit = ""] = /git branch -f (\S+) ([0-9a-f]{40})/.exec(stderr) ?? [];
	set.repo.git("branch", "-f", branch, commit);
}

thoroughly("a branch that is moved by hand while tasks work", () => {
	/** In the player of `d`, which begins after `a` has merged; `b` waits for that. */
	const lateStrike = (action: string): Crew =>
		crew({
			steps: [
				strike(":"),
				{
					role: "player",
					task: "d",
					call: 1,
					turn: 1,
					run: `${OWN_FILE}; (cd "$HOME/project"; ${action}); touch "$HOME/moved"`,
				},
				{
					role: "player",
					task: "b",
					run: `touch "$HOME/at.b"; ${waitFor("moved")}; ${ADD_LINE}`,
				},
			],
		});

	thorough(
		"an integration branch that is set back takes no work, and goes on when it is put back",
		async () => {
			const set = lateStrike(`git branch -f ${INTEGRATION} main`);
			const ended = await set.spar(["run"]);
			expect(ended.code).toBe(2);
			expect(ended.stderr).toContain("which does not hold the merged work of");
			expect(standing(set)).toMatchObject({ b: "running", d: "running" });
			expectTidy(set);
			followHint(set, ended.stderr);
			expectAllMerged(set, await set.spar(["resume"]));
			expect(mergeCount(set)).toBe(4);
		},
	);

	thorough("an integration branch that is deleted is back after a resume", async () => {
		const set = lateStrike(`git branch -D ${INTEGRATION}`);
		const ended = await set.spar(["run"]);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain("integration is gone");
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	});

	thorough("a commit that somebody puts on the integration branch is built upon", async () => {
		const set = lateStrike(
			`git update-ref refs/heads/${INTEGRATION} "$(git commit-tree -p ${INTEGRATION} -m mine ${INTEGRATION}^{tree})"`,
		);
		expectAllMerged(set, await set.spar(["run"]));
		expect(mergeCount(set)).toBe(5);
	});

	thorough("a task's own branch stops that task alone", async () => {
		const set = crew({
			steps: [
				strike(
					`${waitFor("published")}; git branch -f "sparring/$SPAR_RUN/b" main; touch "$HOME/moved"`,
				),
				// Its turn is published by then.
				{ role: "player", task: "b", turn: 1, run: `touch "$HOME/at.b"; ${ADD_LINE}` },
				{
					role: "coach",
					task: "b",
					turn: 1,
					run: `touch "$HOME/published"; ${waitFor("moved")}`,
					report: sendsBack({ issue: "more", severity: "major" }),
				},
				{
					role: "coach",
					task: "b",
					report: {
						decision: "approve",
						rationale: "Good.",
						requirements_status: [{ criterion: "the work is done", met: true, evidence: "seen" }],
						findings_status: [{ id: "F1", status: "fixed" }],
					},
				},
			],
		});
		const ended = await set.spar(["run"]);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain("where this run left it");
		expect(standing(set)).toEqual({ ...ALL_MERGED, b: "running" });
		followHint(set, ended.stderr);
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	});
});

thoroughly("the checkout of a task at work", () => {
	const deleting = (what: string): Crew =>
		crew({ steps: [strike(`rm -rf "$HOME"/checkouts/*/"$SPAR_RUN"/${what}`)] });

	thorough("that is deleted by hand costs that task a call, and the others nothing", async () => {
		const set = deleting("b");
		const ended = await set.spar(["run"]);
		expect(ended.stderr).toMatch(/its checkout \S+b\/player\/\S+ is gone, and its work with it/);
		expectAllMerged(set, ended);
		const calls = set.agents
			.calls()
			.filter(({ role, event }) => role === "player" && event === "start");
		const first = calls.filter(({ turn }) => turn === 1).map(({ task }) => task);
		expect(first.toSorted()).toEqual(["a", "b", "b", "c", "d"]);
	});

	thorough("of all tasks, deleted by hand, costs no finished work", async () => {
		const set = deleting("");
		const ended = await set.spar(["run"]);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain("was removed while the run worked there");
		expect(ended.stderr).toContain(`spar resume ${runIds(set.repo)[0]}`);
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	});
});

describe("git", () => {
	thorough(
		"gc --prune=now in the user's repository takes nothing of the tasks at work",
		async () => {
			const gc = "git reflog expire --expire=now --all; git gc --prune=now --quiet";
			const set = crew({
				steps: [
					strike(gc),
					{ role: "player", task: "d", run: `(cd "$HOME/project"; ${gc}); ${OWN_FILE}` },
					{ role: "coach", task: "c", run: `(cd "$HOME/project"; ${gc})`, report: APPROVED },
				],
			});
			expectAllMerged(set, await set.spar(["run"]));
			expect(mergeCount(set)).toBe(4);
		},
	);

	const gcBefore = async (like: string): Promise<void> => {
		const set = crew({ steps: [strike(":")] });
		const gc = `(unset $(git rev-parse --local-env-vars) GIT_CONFIG_GLOBAL; cd '${set.repo.root}'; git gc --prune=now --quiet)`;
		const trap = gitTrap(set.repo, { like }, gc);
		expectAllMerged(set, await set.spar(["run"], { env: trap.env }));
		expect(trap.sprung(), like).toBe(true);
		expect(mergeCount(set)).toBe(4);
	};

	thorough(
		"gc --prune=now between a tree and its commit takes the tree, and it is made again",
		async () => {
			await gcBefore("* commit-tree *");
		},
	);

	thorough("gc --prune=now may come before any command that writes", async () => {
		for (const like of ["* write-tree*", "* merge-tree *", "* update-ref *"]) await gcBefore(like);
	});

	test("that fails once stops no more than it must, and a resume finishes everything", async () => {
		const set = crew({ steps: [strike(":")] });
		const trap = refTrap(
			set.repo,
			{ state: "prepared", ref: "refs/heads/sparring/*/c" },
			"echo 'fatal: it is Sunday' >&2; exit 1",
		);
		const ended = await set.spar(["run"], { env: trap.env });
		expect(trap.sprung()).toBe(true);
		expect(ended.stderr).toContain("it is Sunday");
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain("The other tasks go on");
		expect(ended.stderr).toContain(`spar resume ${runIds(set.repo)[0]}`);
		const merged = Object.values(standing(set)).filter((each) => each.endsWith("merged"));
		expect(merged.length).toBeGreaterThan(0);
		expectTidy(set);
		expectAllMerged(set, await set.spar(["resume"]));
		expect(mergeCount(set)).toBe(4);
	});

	thorough("on a full disk, wherever it is, loses nothing", async () => {
		for (const like of ["* commit-tree *", "* update-ref *", "* add *", "* read-tree *"]) {
			const set = crew({ steps: [strike(":")] });
			const trap = gitTrap(set.repo, { like }, TRAPS.diskFull);
			let ended = await set.spar(["run"], { env: trap.env });
			if (trap.sprung() && ended.code !== 0) {
				expect(ended.stderr, like).toMatch(/No space|space/);
				ended = await set.spar(["resume"]);
			}
			expectAllMerged(set, ended);
		}
	});

	thorough("that is slow for one task holds up nobody's work for good", async () => {
		const set = crew({ steps: [strike(":")] });
		const trap = gitTrap(set.repo, { like: "* merge-tree *" }, "sleep 3");
		expectAllMerged(set, await set.spar(["run"], { env: trap.env }));
		expect(trap.sprung()).toBe(true);
		expect(mergeCount(set)).toBe(4);
	});
});
