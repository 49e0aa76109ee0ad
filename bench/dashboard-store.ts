import { mkdirSync } from "node:fs";
import { placesOf } from "../src/places/places.ts";
import { openStore } from "../src/places/store.ts";
import { run, task } from "../src/store/record-builders.contract.ts";
import type { Lease, Write } from "../src/store/records.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import { commitAll, type Environment, writeFiles } from "./scratch.ts";

/** A repository with one large run in its database. */
export interface LargeRun {
	readonly directory: string;
	readonly runId: string;
	/** Adds events, each of them worth a line of a timeline. */
	add(events: number): Promise<void>;
	close(): Promise<void>;
}

const TASKS = 200;
const RUN_ID = "20261122-090000-b3nc";

function workflowText(): string {
	const agent = { adapter: "command", run: ["true"] };
	const overlays = {
		paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
	};
	const one = (nth: number) => ({
		agent: "dev",
		description: `Part ${nth} of a large piece of work.`,
		acceptance_criteria: ["done"],
		depends_on: nth < 20 ? [] : [`t${nth - 20}`],
		overlays,
	});
	const tasks = Array.from({ length: TASKS }, (_, nth): [string, object] => [`t${nth}`, one(nth)]);
	return JSON.stringify({
		version: 1,
		name: "large",
		agents: { dev: agent, coach: agent },
		checks: { tests: { kind: "acceptance", run: "true", report: { format: "exit" } } },
		tasks: Object.fromEntries(tasks),
	});
}

/** Fills a database as a run of 200 tasks would. */
export async function largeRun(directory: string, environment: Environment): Promise<LargeRun> {
	const text = workflowText();
	writeFiles(directory, { "sparring.yaml": text, "readme.md": "# Large\n" });
	commitAll(directory, environment);
	const { workflow } = loadWorkflow({ content: text, file: "sparring.yaml", directory });
	if (workflow === null) throw new Error("the workflow of the bench does not load");
	const places = placesOf(directory, environment);
	mkdirSync(places.stateDir, { recursive: true });
	const store = await openStore(places);
	const lease: Lease = await store.leases.take(RUN_ID);
	const rows = workflow.tasks.map(({ id }, position) =>
		task({
			runId: RUN_ID,
			taskId: id,
			position,
			status: "running",
			phase: "coach_validating",
			turns: 1,
		}),
	);
	await store.records.createRun(run({ runId: RUN_ID, workflow }), rows, lease);
	let made = 0;
	const next = (): Write => {
		made += 1;
		return {
			kind: "event",
			run: RUN_ID,
			event: {
				type: "check-ran",
				task: `t${made % TASKS}`,
				turn: 1,
				node: "validate_structure",
				timestamp: new Date().toISOString(),
				data: {
					check: "tests",
					kind: "acceptance",
					purpose: "turn",
					status: made % 9 === 0 ? "fail" : "pass",
					reason: null,
					tree: "9".repeat(40),
					ms: made % 4_000,
					counts: { total: 12, passed: 12, failed: 0, skipped: 0, known_failing: 0 },
				},
			},
		};
	};
	return {
		directory,
		runId: RUN_ID,
		add: async (events) => {
			await store.records.commit(lease, Array.from({ length: events }, next));
		},
		close: async () => {
			await lease.release();
			await store.close();
		},
	};
}
