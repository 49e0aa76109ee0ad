import {
	chmodSync,
	copyFileSync,
	globSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	dataOf,
	type Play,
	type Stage,
	sendsBack,
	stage,
	WORKS,
} from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import type { TestRepository } from "../support/repository.ts";
import { startSpar } from "../support/spar.ts";
import { runIds } from "../support/state-rows.ts";

const MORE = sendsBack({ issue: "more is needed", severity: "major" });
const FIXED = { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] };

/** Files of the objects that one revision has and another has not. */
function objectsOf(repo: TestRepository, has: string, hasNot: string): string[] {
	const ids = repo.git("rev-list", "--objects", "--no-object-names", has, `^${hasNot}`).split("\n");
	return ids.map((id) => join(repo.root, ".git/objects", id.slice(0, 2), id.slice(2)));
}

/** How many bytes of the repository's pack an object has, and from where. */
function placeInPack(repo: TestRepository, revision: string): [size: number, offset: number] {
	const [index = ""] = globSync(".git/objects/pack/*.idx", { cwd: repo.root });
	const id = repo.git("rev-parse", revision);
	const row = repo
		.git("verify-pack", "--verbose", index)
		.split("\n")
		.find((line) => line.startsWith(id));
	const [, , , size, offset] = (row ?? "").split(/\s+/).map(Number);
	return [size ?? 0, offset ?? 0];
}

function truncateAll(files: readonly string[]): void {
	for (const file of files) {
		chmodSync(file, 0o644);
		truncateSync(file, 0);
	}
}

/** A run whose process was killed while the player worked on turn 3, and the private refs of its turns. */
async function killedInTurnThree(): Promise<{ readonly at: Stage; readonly turns: string }> {
	const kills = { role: "player", turn: 3, call: 1, run: 'kill -9 "$(cat "$HOME/pid")"' } as const;
	const at = stage({
		steps: [
			kills,
			WORKS,
			{ role: "coach", turn: 1, report: MORE },
			{ role: "coach", turn: 2, report: sendsBack() },
			{ role: "coach", report: FIXED },
		],
	});
	const run = startSpar(at.repo, ["run"]);
	at.repo.write({ "../pid": `${run.child.pid}` });
	expect((await run.ended).signal).toBe("SIGKILL");
	return { at, turns: `refs/sparring/${runIds(at.repo)[0]}/one` };
}

test("a task whose last turn was lost with the power goes on from the turn before", async () => {
	const { at, turns } = await killedInTurnThree();
	const first = at.repo.git("rev-parse", `${turns}/turn-1-1`);
	truncateAll(objectsOf(at.repo, `${turns}/turn-2-1`, `${turns}/turn-1-1`));
	const outcome = await at.resume();
	expect(outcome.code, outcome.stderr).toBe(0);
	expect(outcome.stderr).toContain("turn 2 cannot be read from the repository any more");
	expect(dataOf(at.trace(), "turns-lost")).toMatchObject([{ turns: [2], commit: first }]);
	const merged = outcome.report.tasks["one"]?.branch ?? "";
	expect(at.repo.git("show", `${merged}:work.txt`)).toBe("turn 1\nturn 3");
	expect(at.repo.git("fsck", "--no-dangling", "--no-reflogs", "--no-progress")).toBe("");
});

thorough(
	"a task that lost all of its turns begins again at its start, with as many turns left",
	async () => {
		const { at, turns } = await killedInTurnThree();
		for (const file of objectsOf(at.repo, `${turns}/turn-2-1`, "main")) rmSync(file);
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(dataOf(at.trace(), "turns-lost")).toMatchObject([{ turns: [1, 2] }]);
		expect(at.repo.git("show", `${outcome.task.branch}:work.txt`)).toBe("turn 3");
	},
);

test("an object that was lost with the power before anything named it does not stop the work", async () => {
	// Written long ago, so that git trusts its index and looks at the file no second time.
	const long = "echo new > work.txt; touch -d '1 hour ago' work.txt";
	const at = stage({ steps: [{ ...WORKS, run: long }, APPROVES] });
	// What a turn under way had written: the next try would write the same.
	at.repo.write({ "../new.txt": "new\n" });
	const id = at.repo.git("hash-object", "-w", join(at.repo.home, "new.txt"));
	truncateAll([join(at.repo.root, ".git/objects", id.slice(0, 2), id.slice(2))]);
	const outcome = await at.run();
	expect(outcome.code, outcome.stderr).toBe(0);
	expect(outcome.stderr).toContain("1 damaged object of git moved to ");
	expect(at.repo.git("show", `${outcome.report.branch}:work.txt`)).toBe("new");
	expect(at.repo.git("fsck", "--no-dangling", "--no-reflogs", "--no-progress")).toBe("");
});

/** A run of two tasks that waits for a person in the second, the first one merged. */
async function oneOfTwoMerged(): Promise<{ readonly at: Stage; readonly branch: string }> {
	const task = { agent: "dev", description: "Do it.", acceptance_criteria: ["the work is done"] };
	const overlays = {
		paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
	};
	const at = stage({
		human: true,
		steps: [{ role: "player", run: 'echo "$SPAR_TASK" > "$SPAR_TASK.txt"' }, APPROVES],
		workflow: {
			tasks: { one: { ...task, overlays }, two: { ...task, overlays, requires_human: true } },
		},
	});
	const outcome = await at.run();
	expect(outcome.code, outcome.stderr).toBe(3);
	return { at, branch: outcome.report.branch };
}

async function answered(at: Stage) {
	const [item] = (await at.json("hil", "list")) as { id: string }[];
	await at.spar(["hil", "resolve", item?.id ?? ""]);
	return at.spar(["resume", "--json"]);
}

thorough("an integration branch that was deleted comes back with what was merged", async () => {
	const { at, branch } = await oneOfTwoMerged();
	at.repo.git("branch", "-D", branch);
	at.repo.git("gc", "--prune=now", "--quiet");
	const { code, stderr } = await answered(at);
	expect(code, stderr).toBe(0);
	expect(stderr).toContain(`the branch ${branch} was gone; it is back at `);
	expect(at.repo.git("ls-tree", "--name-only", branch)).toMatch(/one\.txt[\s\S]*two\.txt/);
});

thorough("an integration branch that was set back is not merged into", async () => {
	const { at, branch } = await oneOfTwoMerged();
	const tip = at.repo.git("rev-parse", branch);
	at.repo.git("branch", "-f", branch, "main");
	const refused = await answered(at);
	expect(refused.code, refused.stderr).toBe(2);
	expect(refused.stderr).toContain(`which does not hold the merged work of ${tip}`);
	expect(refused.stderr).toContain(`git branch -f ${branch} ${tip}`);
	at.repo.git("branch", "-f", branch, tip);
	expect((await at.resume()).code).toBe(0);
	expect(at.repo.git("ls-tree", "--name-only", branch)).toMatch(/one\.txt[\s\S]*two\.txt/);
});

thorough(
	"merged work that cannot be read ends the resume with what is lost and what is left",
	async () => {
		const { at, branch } = await oneOfTwoMerged();
		const before = at.repo.git("rev-parse", "main");
		truncateAll(objectsOf(at.repo, branch, "main"));
		const refused = await answered(at);
		expect(refused.code, refused.stderr).toBe(2);
		expect(refused.stderr).toContain(`the merged work on ${branch} cannot be read: `);
		expect(refused.stderr).toContain("Then start a new run.");
		expect(at.repo.git("rev-parse", "main")).toBe(before);
	},
);

thorough("merged work that cannot be read is not landed, and that is said", async () => {
	const at = stage({ steps: [WORKS, APPROVES] });
	const { code, stderr, report } = await at.run();
	expect(code, stderr).toBe(0);
	const before = at.repo.git("rev-parse", "main");
	truncateAll(objectsOf(at.repo, report.branch, "main"));
	const refused = await at.spar(["land"]);
	expect(refused.code, refused.stderr).toBe(2);
	expect(refused.stderr).toContain(`the merged work on ${report.branch} cannot be read: `);
	expect(at.repo.git("rev-parse", "main")).toBe(before);
});

thorough("a file in git that has the content of another one is not landed", async () => {
	const at = stage({ steps: [WORKS, APPROVES] });
	const { code, stderr, report } = await at.run();
	expect(code, stderr).toBe(0);
	at.repo.write({ "../other.txt": "not the work\n" });
	const other = at.repo.git("hash-object", "-w", join(at.repo.home, "other.txt"));
	const work = at.repo.git("rev-parse", `${report.branch}:work.txt`);
	const [from = "", to = ""] = [other, work].map((id) =>
		join(at.repo.root, ".git/objects", id.slice(0, 2), id.slice(2)),
	);
	rmSync(to);
	copyFileSync(from, to);
	const refused = await at.spar(["land"]);
	expect(refused.code, refused.stderr).toBe(2);
	expect(refused.stderr).toContain(`cannot be read: error: hash mismatch ${work}`);
});

thorough("damage in a pack is not landed either", async () => {
	const at = stage({ steps: [WORKS, APPROVES] });
	const { code, stderr, report } = await at.run();
	expect(code, stderr).toBe(0);
	at.repo.git("gc", "--quiet");
	const [pack = ""] = globSync(".git/objects/pack/*.pack", { cwd: at.repo.root });
	const [size, offset] = placeInPack(at.repo, report.branch);
	const bytes = readFileSync(join(at.repo.root, pack));
	bytes.fill(0, offset + Math.floor(size / 2), offset + Math.floor(size / 2) + 3);
	chmodSync(join(at.repo.root, pack), 0o644);
	writeFileSync(join(at.repo.root, pack), bytes);
	const refused = await at.spar(["land"]);
	expect(refused.code, refused.stderr).toBe(2);
	expect(refused.stderr).toContain(`the merged work on ${report.branch} cannot be read: `);
});

thorough("a landing that was lost with the power is made again", async () => {
	const at = stage({ steps: [WORKS, APPROVES] });
	const { code, stderr, report } = await at.run();
	expect(code, stderr).toBe(0);
	at.repo.write({ "other.txt": "by hand\n" });
	at.repo.commit("By hand");
	const tree = at.repo.git("merge-tree", "--write-tree", "main", report.branch);
	truncateAll([join(at.repo.root, ".git/objects", tree.slice(0, 2), tree.slice(2))]);
	// What git tells of with each command is no damage.
	at.repo.write({ ".git/objects/info/alternates": "/gone/objects\n" });
	const landed = await at.spar(["land"]);
	rmSync(join(at.repo.root, ".git/objects/info/alternates"));
	expect(landed.code, landed.stderr).toBe(0);
	expect(landed.stderr).toContain("1 damaged object of git moved to ");
	expect(at.repo.git("rev-parse", "main^{tree}")).toBe(tree);
	expect(at.repo.git("fsck", "--no-dangling", "--no-reflogs", "--no-progress")).toBe("");
});

/** A run that waits for a person after turn 1, and the private refs of its task. */
async function waiting(play: Play): Promise<{ readonly at: Stage; readonly refs: string }> {
	const at = stage({
		human: true,
		...play,
		task: { requires_human: true, ...play.task },
	});
	const outcome = await at.run();
	expect(outcome.code, outcome.stderr).toBe(3);
	return { at, refs: `refs/sparring/${runIds(at.repo)[0]}/one` };
}

thorough(
	"a merge that was lost with the power before it moved the branch is made again",
	async () => {
		const report = { files_modified: ["work.txt"] };
		const { at, refs } = await waiting({ steps: [{ ...WORKS, report }, APPROVES] });
		const merge = at.repo.git(
			"commit-tree",
			"-p",
			"main",
			"-m",
			"merged",
			`${refs}/turn-1-1^{tree}`,
		);
		const lost = [
			...objectsOf(at.repo, merge, `${refs}/turn-1-1`),
			...objectsOf(at.repo, `${refs}/turn-1-1`, "main"),
		];
		at.repo.git("update-ref", `${refs}/merge-1`, merge);
		truncateAll(lost);
		await at.resume();
		const outcome = await answered(at);
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(dataOf(at.trace(), "turns-lost")).toMatchObject([{ turns: [1] }]);
		expect(at.repo.git("fsck", "--no-dangling", "--no-reflogs", "--no-progress")).toBe("");
	},
);

thorough(
	"tests of a verifier that were lost with the power are written again, for a new turn",
	async () => {
		const suite = { "test/limit.test.sh": "echo 1..1; test -f work.txt && echo ok 1 - works" };
		const verifier = {
			role: "verifier" as const,
			files: suite,
			report: { run: "sh test/limit.test.sh", tests_written: Object.keys(suite) },
		};
		const { at, refs } = await waiting({
			steps: [WORKS, verifier, APPROVES],
			task: { requires_verification: true },
			workflow: { verifier: "coach", verification: { paths: ["test/**"] } },
		});
		const [tests = ""] = at.repo
			.git("for-each-ref", "--format=%(refname)", `${refs}/`)
			.split("\n")
			.filter((ref) => ref.includes("/verification-"));
		truncateAll(objectsOf(at.repo, tests, `${refs}/turn-1-1`));
		expect((await at.resume()).code).toBe(3);
		const outcome = await answered(at);
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(dataOf(at.trace(), "turns-lost")).toMatchObject([{ turns: [1] }]);
		const calls = at.agents.calls().filter(({ event }) => event === "start");
		expect(calls.filter(({ role }) => role === "verifier")).toHaveLength(2);
		const branch = `sparring/${runIds(at.repo)[0]}/integration`;
		const merged = at.repo.git("ls-tree", "-r", "--name-only", branch);
		expect(merged).toContain("test/limit.test.sh");
	},
);
