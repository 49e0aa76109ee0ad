import type { LandOptions } from "../../landing/land-run.ts";
import type { RunView } from "../../view/run-view.ts";
import { flag, given, RUN, SUPERVISION, text, verb } from "./fields.ts";

export interface OfRun {
	readonly runId?: string | undefined;
}

export const status = verb({
	summary: "show where a run stands",
	fields: { runId: RUN },
	places: ["runId"],
	access: "read",
	examples: ["spar status", "spar status 20261121-230218-3a67 --watch", "spar status --json"],
	page: "monitoring",
	forAgents: "Tells where a run stands.",
	run: async (own, { runId }: OfRun) => await own.report(await own.run(runId)),
});

const ALL = { selection: "all", before: null, limit: 1_000_000 } as const;

export const runs = verb({
	summary: "list the runs of this repository",
	fields: {},
	places: [],
	access: "read",
	examples: ["spar runs", "spar runs --json", "spar runs --json | jq -r '.[0].run_id'"],
	page: "monitoring",
	run: async (own) => {
		if ((await own.records()) === null) return [];
		const { runSummary } = await import("../../view/run-summary.ts");
		const store = await own.openStore();
		return await Promise.all(
			(await store.records.runPage(ALL)).map((run) => runSummary(store, run)),
		);
	},
});

export interface WhatToTell extends OfRun {
	/** Ids of the tasks that are told; left out: all. */
	readonly tasks?: readonly string[] | undefined;
}

export const result = verb({
	named: "report",
	summary: "print a run for reviewers and CI",
	fields: { runId: RUN, tasks: given("texts") },
	places: ["runId", "tasks"],
	access: "read",
	examples: [
		"spar report",
		"spar report --format junit --output sparring.xml",
		"spar report 20261121-230218-3a67 --format html --output report.html",
	],
	page: "ci",
	forAgents: "Tells all that a reviewer wants to know of a run.",
	run: async (own, { runId, tasks }: WhatToTell): Promise<RunView> => {
		const { records } = await own.existing();
		const run = await own.run(runId);
		for (const task of tasks ?? []) await own.task(task, run.runId);
		const { readView } = await import("../../view/read-view.ts");
		const { maskAllButNames } = await import("../../store/mask-texts.ts");
		const { runMasker } = await import("../../places/run-masker.ts");
		const told = await readView(records, run, await own.report(run), tasks);
		return maskAllButNames(await runMasker(run, own), told);
	},
});

export const events = verb({
	named: "watch",
	summary: "show how a run goes, from any terminal",
	fields: { runId: RUN, after: given("number") },
	places: ["runId", "after"],
	access: "read",
	examples: ["spar watch", "spar watch 20261121-230218-3a67", "spar watch --json"],
	page: "monitoring",
	run: async (own, { runId, after = 0 }: OfRun & { readonly after?: number | undefined }) => {
		const { records } = await own.existing();
		return await records.events((await own.run(runId)).runId, { after });
	},
});

export const calibration = verb({
	summary: "show how often scores turned out right, over all runs",
	fields: {},
	places: [],
	access: "read",
	examples: [
		"spar calibration",
		"spar calibration --json",
		"spar calibration --json | jq '.[].agent'",
	],
	run: async (own) => {
		const records = await own.records();
		if (records === null) return [];
		const { calibrationOf } = await import("../../confidence/calibration-of.ts");
		const { calibrationRows } = await import("../../store/scores.ts");
		return calibrationOf(calibrationRows(await records.scores()));
	},
});

export const cancel = verb({
	summary: "stop a run",
	fields: { runId: RUN },
	places: ["runId"],
	access: "write",
	examples: ["spar cancel", "spar cancel 20261121-230218-3a67", "spar cancel --json"],
	run: async (own, { runId }: OfRun) => {
		const store = await own.existing();
		const { cancelWhole, requireCancellable } = await import("../../drive/cancel-run.ts");
		const run = await requireCancellable(store, runId);
		await cancelWhole(store, own.places, run.runId);
		return await own.report(run);
	},
});

const OF_LANDING = {
	places: ["..."],
	access: "write",
	examples: ["spar land", "spar land --pr", "spar land 20261121-230218-3a67 --json"],
} as const;

export const land = verb({
	...OF_LANDING,
	summary: "bring the integration branch into the base branch",
	fields: { runId: RUN, ...SUPERVISION },
	run: async (own, options: LandOptions) => {
		const { landHeld, withRun } = await import("../take-forward.ts");
		return await withRun(own, options, (run, held) => landHeld(own, run, held));
	},
});

export const propose = verb({
	...OF_LANDING,
	named: "land --pr",
	summary: "push the integration branch and open a pull request instead",
	fields: {
		runId: RUN,
		remote: text("--remote <name>", "with --pr: the remote to push to"),
		...SUPERVISION,
	},
	run: async (
		own,
		{ remote, ...options }: LandOptions & { readonly remote?: string | undefined },
	) => {
		const { proposeHeld, withRun } = await import("../take-forward.ts");
		return await withRun(own, options, (run, held) => {
			const told = async () => await result.run(own, { runId: run.runId });
			return proposeHeld(own, run, held, { remote, result: told });
		});
	},
});

export interface WhatToPrune extends OfRun {
	/** Unmerged work too, which is archived first. */
	readonly force?: boolean | undefined;
	readonly dryRun?: boolean | undefined;
}

export const prune = verb({
	summary: "remove checkouts and refs of ended runs",
	fields: {
		force: flag("--force", "remove unmerged work too"),
		dryRun: flag("--dry-run", "show what would be removed; change nothing"),
		runId: given("text"),
	},
	places: [],
	access: "write",
	examples: ["spar prune", "spar prune --dry-run", "spar prune --force"],
	run: async (own, { force = false, dryRun = false, runId }: WhatToPrune) => {
		const { pruneRepository } = await import("../../landing/prune-runs.ts");
		const { places, env } = own;
		const openStore = () => own.openStore();
		const store = { isOpen: own.isOpen(), openStore };
		return await pruneRepository({ places, env, ...store, force, dryRun, runId: runId ?? null });
	},
});
