import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobsInMemory } from "../../src/kernel/blobs.fixture.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { TaskPlaces } from "../../src/loop/context.ts";
import { GitOfMaps, type WrittenFiles } from "../../src/loop/git-of-maps.fixture.ts";
import { MapCheckout } from "../../src/loop/map-commits.fixture.ts";
import type { Masker } from "../../src/masking/masking.ts";
import { maskerOf } from "../../src/places/secrets.ts";
import { run as aRun, task as aTaskRecord } from "../../src/store/record-builders.contract.ts";
import type { Records, RunRecord, TaskRecord } from "../../src/store/records.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { sqliteLeases } from "../../src/store/sqlite/leases.ts";
import { sqliteRecords } from "../../src/store/sqlite/records.ts";
import { loadWorkflow } from "../../src/workflow/load.ts";
import { dependencyOrder } from "../../src/workflow/order.ts";
import type { Workflow } from "../../src/workflow/workflow.ts";
import { tidyLater } from "../support/tidy.ts";
import { pair, workflow as workflowText } from "../support/workflow.ts";
import type { MemoryStep } from "./memory-agents.ts";
import type { Programs } from "./memory-checks.ts";

/** A run as a scene wants it: keys as in `stage()` of the scenarios, with functions where these have shell. */
export interface MemoryPlay {
	readonly steps: readonly MemoryStep[];
	/** Files of the first commit beside the check's. */
	readonly files?: WrittenFiles;
	/** Keys of the task `one`. */
	readonly task?: Readonly<Record<string, unknown>>;
	/** Keys of the workflow file; `tasks` replaces the task `one`. */
	readonly workflow?: Readonly<Record<string, unknown>> & { readonly agents?: object };
	/** Default: human in the loop is off, so that nothing waits. */
	readonly human?: boolean;
	/** Programs of checks besides the one that prints `results.tap`. */
	readonly programs?: Programs;
}

/** The criterion of every task that names none. */
export const CRITERION = "the work is done";
export const TAP_OK = "TAP version 13\n1..1\nok 1 - works\n";
export const TAP_RED = "TAP version 13\n1..1\nnot ok 1 - works\n";
export const TESTS = { kind: "acceptance", run: "sh check.sh", timeout: "20s" };

const COMMAND = { adapter: "command", run: ["true"] };
const START_MS = Date.parse("2026-11-22T00:00:00.000Z");

/** Loads the workflow of a play as its file is loaded. */
function workflowOf({ task, workflow = {}, human }: MemoryPlay): Workflow {
	const { agents = {}, ...rest } = workflow;
	const one = {
		agent: "dev",
		description: "Do the work.",
		acceptance_criteria: [CRITERION],
		overlays: pair(),
		...task,
	};
	const content = workflowText({
		agents: { dev: COMMAND, coach: COMMAND, ...agents },
		checks: { tests: TESTS },
		human: { enabled: human === true },
		tasks: { one },
		// They stand in a repository of git, which there is none of.
		conventions: false,
		...rest,
	});
	const loaded = loadWorkflow({ content, file: "sparring.yaml", directory: "/memory" });
	if (loaded.workflow === null) throw new Error(JSON.stringify(loaded.errors, null, 2));
	return loaded.workflow;
}

/** A clock that moves by a millisecond when it is looked at, and by what is waited for. */
function tickingClock(): Clock {
	let now = START_MS;
	return {
		now: () => (now += 1),
		sleep: async (ms, signal) => {
			signal?.throwIfAborted();
			now += ms;
		},
	};
}

/** State that outlives a process: records, commits, refs, checkouts and files. */
export class MemoryState {
	readonly git = new GitOfMaps();
	readonly blobs = blobsInMemory();
	readonly clock = tickingClock();
	readonly db = openDatabase(":memory:");
	readonly records: Records = sqliteRecords(this.db);
	readonly leases = sqliteLeases(this.db, { clock: this.clock });
	/** Folder of prompts and contexts, which agents find as files. */
	readonly home = mkdtempSync(join(tmpdir(), "spar-memory-"));
	readonly workflow: Workflow;
	readonly run: RunRecord;
	readonly masker: Masker;
	readonly #checkouts = new Map<string, MapCheckout>();

	constructor(play: MemoryPlay) {
		this.workflow = workflowOf(play);
		this.masker = maskerOf({}, this.workflow);
		const files = { "check.sh": "cat results.tap\n", "results.tap": TAP_OK, ...play.files };
		const baseCommit = this.git.commit(files);
		this.run = aRun({ workflow: this.workflow, baseCommit });
		this.git.refs.set(this.run.branch, baseCommit);
		tidyLater(() => {
			this.db.close();
			rmSync(this.home, { recursive: true, force: true });
		});
	}

	checkoutAt(dir: string): MapCheckout {
		const known = this.#checkouts.get(dir) ?? new MapCheckout(this.git, dir);
		this.#checkouts.set(dir, known);
		return known;
	}

	tasks(): TaskRecord[] {
		const { runId } = this.run;
		return dependencyOrder(this.workflow.tasks).map((taskId, position) => {
			const definition = this.workflow.tasks.find(({ id }) => id === taskId);
			return aTaskRecord({
				taskId,
				position,
				branch: `sparring/${runId}/${taskId}`,
				bound: definition?.bound ?? 1,
				verification: definition?.requiresVerification === "false" ? "skipped" : null,
			});
		});
	}

	places(taskId: string): TaskPlaces {
		const work = join(this.home, taskId);
		mkdirSync(work, { recursive: true });
		const at = (name: string): MapCheckout => this.checkoutAt(join(work, name));
		return {
			player: at("player"),
			checks: at("checks"),
			coach: at("coach"),
			verifier: at("verifier"),
			verification: at("verification"),
			integration: at("integration"),
			clean: at("clean"),
			work,
			outputs: `outputs/${taskId}`,
			transcripts: `transcripts/${taskId}`,
		};
	}
}
