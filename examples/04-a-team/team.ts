// Three tasks and two agents that are functions of this program: `node team.ts`.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Agent, answer, openSparring, type WorkflowValue } from "sparring";
import { WORK } from "./work.ts";

/** The player. A real one asks a model with `prompt`; this one knows its answers, and forgets a comment once. */
const writer: Agent = {
	handsIn: "message",
	async call({ cwd, task, turn }) {
		const work = WORK[task];
		if (work === undefined) throw new Error(`nothing is known about ${task}`);
		const comment = task === "price" && turn === 1 ? "" : `/** It ${work.criterion}. */\n`;
		await writeFile(join(cwd, `src/${task}.js`), `${comment}${work.source}`);
		await writeFile(join(cwd, `test/${task}.test.js`), work.test);
		return answer({ files_created: [`src/${task}.js`, `test/${task}.test.js`] });
	},
};

/** The coach. It looks at the files in its own checkout, never at what the player says about them. */
const reader: Agent = {
	handsIn: "message",
	async call({ cwd, task, turn }) {
		const source = await readFile(join(cwd, `src/${task}.js`), "utf8");
		const criterion = WORK[task]?.criterion ?? "";
		const commented = source.startsWith("/**");
		return answer({
			decision: commented ? "approve" : "feedback",
			rationale: commented ? "Tested and explained." : "Readers need a comment.",
			requirements_status: [{ criterion, met: true, tests: [criterion] }],
			findings_status: turn === 1 ? [] : [{ id: "F1", status: commented ? "fixed" : "open" }],
			feedback_items: commented
				? []
				: [{ issue: "the function has no comment", severity: "major" }],
		});
	},
};

/** A workflow file as a value. `price` waits for the two others, which run at once. */
const value: WorkflowValue = {
	version: 1,
	name: "tiles",
	max_parallel: 2,
	checks: {
		tests: {
			kind: "acceptance",
			run: "node --test --test-isolation=none --test-reporter=tap",
			timeout: "2m",
		},
	},
	defaults: {
		overlays: {
			paired_workflow: { enabled: true, driver_agent: "writer", challenger_agent: "reader" },
		},
	},
	tasks: Object.fromEntries(
		Object.entries(WORK).map(([id, { criterion }]) => [
			id,
			{
				description: `Add ${id}().`,
				acceptance_criteria: [criterion],
				depends_on: id === "price" ? ["area", "edge"] : [],
			},
		]),
	),
};

const sparring = await openSparring({
	directory: process.cwd(),
	env: process.env,
	agents: { writer, reader },
});
try {
	const results = await sparring.runParallel(Object.keys(WORK), {
		source: { kind: "value", value },
		maxTurns: 3,
		onEvent: ({ type, task, turn, data }) => {
			if (type === "turn-judged") console.log(`${task}, turn ${turn}: ${data.effective}`);
			if (type === "task-merged") console.log(`${task}: merged`);
		},
	});
	for (const { taskId, success, turns, failureReason } of Object.values(results))
		console.log(
			success
				? `${taskId}: done in ${turns} turn${turns === 1 ? "" : "s"}`
				: `${taskId}: ${failureReason}`,
		);
	// The whole of it once more, as `spar check` does: no agent takes part.
	const { branch } = await sparring.status();
	const { verdict, checks } = await sparring.check({ rev: branch });
	console.log(`all of it: ${verdict}, ${checks.map(({ name }) => name).join(" and ")}`);
	process.exitCode = verdict === "pass" ? 0 : 1;
} finally {
	sparring.close();
}
