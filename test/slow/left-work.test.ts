import { expect, test } from "vitest";
import { APPROVAL, APPROVES, dataOf, type Stage, stage, textLike } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { runIds } from "../support/state-rows.ts";

const BRANCH = [
	"git checkout -q -b fix",
	"echo done > fixed.txt",
	"git add -A",
	'git commit -q -m "Fix it"',
	"git checkout -q --detach HEAD~1",
].join("\n");
const STASH = "echo kept > stashed.txt\ngit stash push -q -u";

const FEEDBACK = {
	role: "coach",
	turn: 1,
	report: {
		...APPROVAL,
		decision: "feedback",
		feedback_items: [{ issue: "no work", severity: "minor" }],
	},
} as const;

const leaving = (
	run: string,
	second = 'cp "$SPAR_PROMPT" "$HOME/prompt"; echo 2 > work.txt',
): Stage =>
	stage({
		steps: [{ role: "player", turn: 1, run }, { role: "player", run: second }, FEEDBACK, APPROVES],
		task: { max_turns: 2 },
	});

const keptRefs = ({ repo }: Stage) =>
	repo
		.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/sparring")
		.split("\n")
		.filter((line) => line.includes("/left-"))
		.map((line) => line.split(" "));

test("work on the agent's own branch and in its stash is kept, told, and can be taken back", async () => {
	const at = leaving(
		`${BRANCH}\n${STASH}`,
		'cp "$SPAR_PROMPT" "$HOME/prompt"; git checkout fix -- . 2> "$HOME/gone" || git checkout $(grep -o "branch fix: [0-9a-f]*" "$HOME/prompt" | cut -d" " -f3) -- .',
	);
	const { task, stderr } = await at.run();
	expect(task).toMatchObject({ success: true, merged: true });
	const [told] = dataOf(at.trace(), "work-left");
	expect(told).toMatchObject({
		work: [
			{ kind: "branch", name: "fix", commit: textLike(/^[0-9a-f]{40}$/) },
			{ kind: "stash", commit: textLike(/^[0-9a-f]{40}$/) },
		],
	});
	const [runId = ""] = runIds(at.repo);
	expect(keptRefs(at).map(([, ref]) => ref)).toEqual([
		`refs/sparring/${runId}/one/left-1-1`,
		`refs/sparring/${runId}/one/left-1-2`,
	]);
	const [[branch = ""] = [], [stash = ""] = []] = keptRefs(at);
	expect(at.repo.git("show", `${branch}:fixed.txt`)).toBe("done");
	expect(at.repo.git("show", `${stash}^3:stashed.txt`)).toBe("kept");
	const prompt = at.kept("prompt");
	expect(prompt).toContain("## Left out of the last turn");
	expect(prompt).toContain(`branch fix: ${branch.slice(0, 10)}`);
	expect(stderr).toContain("the player left work in its checkout's own repository");
	expect((await at.spar(["trace", "one"])).stdout).toContain("branch fix");
	expect(at.repo.git("show", `sparring/${runId}/integration:fixed.txt`)).toBe("done");
});

thorough(
	"a turn that changed files counts as ever, and one that did nothing leaves nothing",
	async () => {
		const both = leaving(`${BRANCH}\necho more > work.txt`);
		expect((await both.run()).task).toMatchObject({ success: true });
		const idle = leaving("true");
		expect((await idle.run()).task).toMatchObject({ success: true });
		for (const at of [both, idle]) {
			expect(dataOf(at.trace(), "work-left")).toEqual([]);
			expect(keptRefs(at)).toEqual([]);
		}
	},
);

thorough("an agent that damaged its .git is told so, and the run goes on", async () => {
	const at = leaving(`${BRANCH}\nrm -rf .git/objects .git/HEAD; echo x > .git/config`);
	expect((await at.run()).task).toMatchObject({ success: true, turns: 2 });
	expect(dataOf(at.trace(), "work-left")).toMatchObject([
		{ work: [{ name: "fix", commit: null }] },
	]);
	expect(at.kept("prompt")).toContain("branch fix: lost");
});

thorough("work in a checkout that was kept is archived before it is pruned", async () => {
	const at = stage({
		steps: [
			{ role: "player", run: BRANCH },
			{ ...FEEDBACK, turn: 1 },
		],
		task: { max_turns: 1 },
	});
	expect((await at.run()).task.success).toBe(false);
	const [[commit = ""] = []] = keptRefs(at);
	expect((await at.spar(["prune", "--force"])).code).toBe(0);
	expect(at.repo.git("for-each-ref", "--format=%(objectname)", "refs/sparring/archive")).toContain(
		commit,
	);
});

thorough("what was kept goes with the run when it is pruned", async () => {
	const at = leaving(BRANCH);
	await at.run();
	expect(keptRefs(at)).toHaveLength(1);
	expect((await at.spar(["prune", "--force"])).code).toBe(0);
	expect(keptRefs(at)).toEqual([]);
});
