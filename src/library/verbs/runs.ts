import { runSummary } from "../../view/run-summary.ts";
import { verb } from "./verb.ts";

const ALL = { selection: "all", before: null, limit: 1_000_000 } as const;

export const runs = verb({
	fields: {},
	places: [],
	access: "read",
	examples: ["spar runs", "spar runs --json", "spar runs --json | jq -r '.[0].run_id'"],
	run: async (own) => {
		if ((await own.records()) === null) return [];
		const store = await own.openStore();
		return await Promise.all(
			(await store.records.runPage(ALL)).map((run) => runSummary(store, run)),
		);
	},
});
