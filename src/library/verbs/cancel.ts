import { RUN } from "./fields.ts";
import { verb } from "./verb.ts";

export const cancel = verb({
	fields: { runId: RUN },
	places: ["runId"],
	access: "write",
	examples: ["spar cancel", "spar cancel 20261121-230218-3a67", "spar cancel --json"],
	run: async (own, { runId }) => {
		const store = await own.existing();
		const { cancelWhole, requireCancellable } = await import("../../drive/cancel-run.ts");
		const run = await requireCancellable(store, runId);
		await cancelWhole(store, own.places, run.runId);
		return await own.report(run);
	},
});
