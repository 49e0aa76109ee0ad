import { reportOf } from "../opened.ts";
import { RUN } from "./fields.ts";
import { verb } from "./verb.ts";

export const status = verb({
	fields: { runId: RUN },
	places: ["runId"],
	access: "read",
	examples: ["spar status", "spar status 20261121-230218-3a67 --watch", "spar status --json"],
	forAgents: "Tells where a run stands.",
	run: async (own, { runId }) => await reportOf(own, runId),
});
