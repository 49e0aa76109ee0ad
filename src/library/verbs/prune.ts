import { verb } from "./verb.ts";

export const prune = verb({
	fields: {
		/** Unmerged work is archived first. */
		force: { kind: "flag", spelt: "--force", about: "remove unmerged work too" },
		dryRun: {
			kind: "flag",
			spelt: "--dry-run",
			about: "show what would be removed; change nothing",
		},
		runId: { kind: "text", spelt: null, about: "only this run" },
	},
	places: [],
	access: "write",
	examples: ["spar prune", "spar prune --dry-run", "spar prune --force"],
	run: async (own, { force = false, dryRun = false, runId = null }) => {
		const { pruneRepository } = await import("../../landing/prune-runs.ts");
		return await pruneRepository({ ...own, isOpen: own.isOpen(), force, dryRun, runId });
	},
});
