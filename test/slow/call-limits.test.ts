import { expect, test } from "vitest";
import { APPROVAL, CRITERION, type Stage, stage } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";

const one = (description: string) => ({
	agent: "dev",
	description,
	acceptance_criteria: [CRITERION],
	overlays: pair(),
});

/** Waits for the player of the other task to begin as well, for as many steps of 20 ms. */
const work = (steps: number): string =>
	`touch "$HOME/$SPAR_TASK"
	n=0
	until [ -e "$HOME/red" ] && [ -e "$HOME/blue" ] || [ $n -eq ${steps} ]; do sleep 0.02; n=$((n + 1)); done
	echo "$SPAR_TASK" > "$SPAR_TASK.txt"`;

/** Two tasks that begin at once. */
function twoTasks(dev: Readonly<Record<string, unknown>>, steps: number): Stage {
	const set = stage({
		steps: [
			{ role: "player", run: work(steps) },
			{ role: "coach", report: APPROVAL },
		],
		workflow: { tasks: { red: one("Do one thing."), blue: one("Do another thing.") } },
	});
	const { agents } = set.agents;
	set.rewrite({ agents: { ...agents, dev: { ...agents.dev, ...dev } } });
	set.repo.commit("Limits the player");
	return set;
}

/** The most players that worked at once. */
function mostPlayers({ agents }: Stage): number {
	let [now, most] = [0, 0];
	for (const { event, role } of agents.calls()) {
		if (role !== "player") continue;
		now += event === "start" ? 1 : -1;
		most = Math.max(most, now);
	}
	return most;
}

test("tasks at once keep an agent's max_parallel", async () => {
	const set = twoTasks({ max_parallel: 1 }, 25);
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(0);
	expect(mostPlayers(set)).toBe(1);
});

thorough("without a limit both work at once", async () => {
	const set = twoTasks({}, 1_000);
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(0);
	expect(mostPlayers(set)).toBe(2);
});
