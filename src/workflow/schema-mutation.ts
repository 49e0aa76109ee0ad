import * as z from "zod";
import { MUTATION_TIMEOUT_MS } from "./mutation-policy.ts";
import { duration, mapping } from "./schema-values.ts";

/** `mutation`: when the checks are run on mutants of the change. */
export const mutationSchema = mapping({
	when: z.enum(["auto", "always", "never"]).default("auto").meta({
		title: "When",
		description:
			"When the acceptance checks are run on mutants of the changed lines: auto (default): in tasks that a verifier writes tests for, and for the metric mutation_score; always; never.",
	}),
	timeout: duration.default(MUTATION_TIMEOUT_MS).meta({
		title: "Timeout",
		description: "Maximum duration of the mutants of a turn together, such as 10m. Default: 3m.",
	}),
})
	.default({ when: "auto", timeout: MUTATION_TIMEOUT_MS })
	.meta({ title: "Mutation", description: "Mutation testing of the changed lines." });
