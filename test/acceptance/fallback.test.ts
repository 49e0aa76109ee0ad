import { expect, test } from "vitest";
import { APPROVAL, APPROVES, CRITERION, type Play, type Stage, stage, WORKS } from "./stage.ts";

/** A recorded call of the player `dev` that failed. */
const failedCall = (failure: string, task = "one"): string =>
	`${JSON.stringify({
		...{ role: "player", agent: "dev", task, subtask: null, turn: 1, call: 1, outcome: failure },
		...{ report: null, files: {}, output: "", ms: 1, usage: null },
	})}\n`;

/** The player `dev` fails as recorded; `spare` stands in for it. */
function withSpare(lines: string, play: Partial<Play> = {}): Stage {
	const made = stage({ steps: [WORKS, APPROVES], ...play });
	made.repo.write({ "calls.jsonl": lines });
	const { dev, coach } = made.agents.agents;
	const broken = { adapter: "cassette", file: "calls.jsonl", fallback: "spare" };
	made.rewrite({ agents: { dev: broken, spare: dev, coach } });
	made.repo.commit("Recorded failures");
	return made;
}

test.each(["quota_exhausted", "unknown"])(
	"a player whose call fails as %s is replaced by its fallback within the turn",
	async (failure) => {
		const { run, trace } = withSpare(failedCall(failure));
		const { code, task } = await run();
		expect({ code, turns: task.turns, merged: task.merged }).toEqual({
			...{ code: 0, turns: 1, merged: true },
		});
		const replaced = trace().events.filter(({ type }) => type === "agent-replaced");
		expect(replaced.map(({ data }) => data)).toEqual([
			{ role: "player", agent: "dev", fallback: "spare", why: failure },
		]);
	},
);

test.each(["context_limit", "content_policy"])(
	"%s speaks of the task: no fallback is asked, and the role has failed",
	async (failure) => {
		const { run, agents } = withSpare(failedCall(failure));
		const { code, task } = await run();
		expect({ code, flags: task.flags }).toEqual({ code: 1, flags: ["role_error"] });
		expect(task.failure_reason).toContain(failure);
		expect(agents.calls()).toEqual([]);
	},
);

test("a fallback that fails too is the role's error, and is named", async () => {
	const made = withSpare(failedCall("quota_exhausted"));
	const recorded = { adapter: "cassette", file: "calls.jsonl" };
	const { coach } = made.agents.agents;
	made.rewrite({ agents: { dev: { ...recorded, fallback: "spare" }, spare: recorded, coach } });
	const { code, task } = await made.run();
	expect(code).toBe(1);
	expect(task.failure_reason).toContain("the player spare failed (unknown): no recorded call 2");
});

test("an agent whose quota is spent is not called for the next task", async () => {
	const one = {
		agent: "dev",
		description: "Do the work.",
		acceptance_criteria: [CRITERION],
		overlays: {
			paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
		},
	};
	const { run, trace } = withSpare(failedCall("quota_exhausted"), {
		workflow: { tasks: { one, two: { ...one, depends_on: ["one"] } } },
	});
	expect((await run()).code).toBe(0);
	const ofTwo = trace("two").events;
	expect(ofTwo.filter(({ type }) => type === "agent-failed")).toEqual([]);
	expect(ofTwo.find(({ type }) => type === "agent-replaced")?.data).toMatchObject({
		...{ agent: "dev", fallback: "spare", why: "out of order" },
	});
});

test("a coach is replaced as well, and what its fallback says counts", async () => {
	const made = stage({ steps: [WORKS, APPROVES] });
	made.repo.write({
		"calls.jsonl": failedCall("unknown").replace('"player"', '"coach"'),
	});
	const { dev, coach } = made.agents.agents;
	const broken = { adapter: "cassette", file: "calls.jsonl", fallback: "spare" };
	made.rewrite({ agents: { dev, coach: broken, spare: coach } });
	made.repo.commit("Recorded failures");
	const { code, task } = await made.run();
	expect({ code, approved: task.challenger_approved }).toEqual({ code: 0, approved: true });
	expect(APPROVAL["decision"]).toBe("approve");
});
