import { expect, test } from "vitest";
import { APPROVAL, CRITERION, type Stage, stage } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";

/** What each call of the player costs, in US dollars. */
const COST = 0.4;

const TASKS = ["a", "b", "c", "d", "e"];

/** Tasks of which two are worked on at once, whose players tell their cost. */
function tasks(budget: number): Stage {
	const one = {
		agent: "dev",
		description: "Do it.",
		acceptance_criteria: [CRITERION],
		overlays: pair(),
	};
	return stage({
		steps: [
			{
				role: "player",
				delayMs: 200,
				run: 'echo "$SPAR_TASK" > "$SPAR_TASK.txt"',
				report: { usage: { cost_usd: COST, input_tokens: 10, output_tokens: 2 } },
			},
			{ role: "coach", report: { ...APPROVAL, usage: { cost_usd: 0 } } },
		],
		workflow: {
			budget: { usd: budget },
			tasks: Object.fromEntries(TASKS.map((id) => [id, one])),
		},
	});
}

const players = ({ agents }: Stage): number =>
	agents.calls().filter(({ event, role }) => event === "start" && role === "player").length;

test("players at once spend no more of a run's budget than the one call that crosses its limit", async () => {
	const set = tasks(1);
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(4);
	// The third call crosses 1 dollar at 1.20; a fourth beside it would have cost 1.60.
	expect(players(set)).toBe(3);
	const status = await set.json("status");
	expect(status).toMatchObject({ usage: { cost_usd: 1.2, unknown_cost_calls: 0 } });
});

thorough("a budget with room for all of them stops none", async () => {
	const set = tasks(10);
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(0);
	expect(players(set)).toBe(TASKS.length);
});
