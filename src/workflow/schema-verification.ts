import * as z from "zod";
import { natsSchema } from "./schema-nats.ts";
import { count, duration, line, mapping, text } from "./schema-values.ts";

/** Run of a verifier's tests without `run_timeout`, in milliseconds: 10 minutes. */
const RUN_TIMEOUT_MS = 600_000;
/** Failed verifications after which a person is asked. */
const ATTEMPTS = 3;

/** `verification`: who writes independent tests, and within which limits they are written and run. */
export const verificationSchema = mapping({
	agent: line.optional().meta({
		title: "Agent",
		description: "The same as `verifier`; both may stand only with the same value.",
	}),
	timeout: duration.optional().meta({
		title: "Timeout",
		description: "Maximum duration of a verifier's call, such as 30m. Default: the agent's.",
	}),
	attempts: count.default(ATTEMPTS).meta({
		title: "Attempts",
		description: "Failed verifications after which a person is asked. Default: 3.",
	}),
	run_timeout: duration.default(RUN_TIMEOUT_MS).meta({
		title: "Run timeout",
		description: "Maximum duration of one run of its tests, such as 90s. Default: 10m.",
	}),
	paths: z.array(text).default([]).meta({
		title: "Paths",
		description: "Globs of files that a verifier may add. Default: where tests of this kind stand.",
	}),
	via: z.enum(["in_process", "nats"]).default("in_process").meta({
		title: "Via",
		description:
			"in_process (default): the run verifies; nats: spar verifier does, asked over NATS.",
	}),
	nats: natsSchema
		.optional()
		.meta({ title: "NATS", description: "How spar verifier is asked with `via: nats`." }),
})
	.default({ attempts: ATTEMPTS, run_timeout: RUN_TIMEOUT_MS, paths: [], via: "in_process" })
	.meta({ title: "Verification", description: "Independent tests: their author and limits." });
