import * as z from "zod";
import { count, line, mapping, share, text } from "./schema-values.ts";

/** The exit condition of a pair that writes none. */
export const DEFAULT_PAIR_EXIT = "pair.challenger_approved == true";

/** What a score must reach where no `threshold` is written. */
const THRESHOLD = 0.8;

/** Weight of a metric without one: all alike. */
const WEIGHT = 1;

const iterations = count.optional().meta({
	title: "Iterations",
	description: "Bound of the loop; of it, max_turns and the other overlay's the smallest counts.",
});
const enabled = z
	.boolean()
	.default(false)
	.meta({ title: "Enabled", description: "Default: false." });
const conditions = (standard: string) =>
	z
		.array(text)
		.min(1)
		.optional()
		.meta({
			title: "Exit conditions",
			description: `Expressions; any one that holds ends the loop. Default: ${standard}.`,
		});

const pairedWorkflow = mapping({
	enabled,
	driver_agent: line
		.optional()
		.meta({ title: "Driver", description: "Agent that first sits as player." }),
	challenger_agent: line
		.optional()
		.meta({ title: "Challenger", description: "Agent that first sits as coach." }),
	role_switch: z.enum(["session", "subtask", "checkpoint"]).optional().meta({
		title: "Role switch",
		description:
			"When the seats swap: session (default, never), after each subtask, or at checkpoints.",
	}),
	checkpoints: z
		.array(
			z.union([count, line], {
				error: "must be the number of a turn, from 1, or the id of a subtask",
			}),
		)
		.optional()
		.meta({
			title: "Checkpoints",
			description:
				"With role_switch: checkpoint: numbers of turns and ids of subtasks after which seats swap.",
		}),
	max_iterations: iterations,
	exit_conditions: conditions(DEFAULT_PAIR_EXIT),
}).meta({ title: "Paired workflow", description: "Two agents: one builds, the other challenges." });

const metric = mapping({
	type: z
		.enum([
			...(["test_coverage", "lint_score", "security_score", "checklist_completion"] as const),
			...(["llm_judge", "requirement_coverage", "mutation_score"] as const),
		])
		.meta({ title: "Type", description: "What is measured." }),
	weight: z
		.number()
		.gt(0)
		.default(WEIGHT)
		.meta({ title: "Weight", description: "Above 0; weights are normalised. Default: 1." }),
	evaluator_agent: line.optional().meta({
		title: "Evaluator",
		description: "Agent that scores; llm_judge needs one that has no seat in the task.",
	}),
});

const confidenceLoop = mapping({
	enabled,
	mode: z.enum(["composite", "raw"]).default("composite").meta({
		title: "Mode",
		description: "composite (default): weighted mean; raw: each metric for itself.",
	}),
	threshold: share
		.default(THRESHOLD)
		.meta({ title: "Threshold", description: "From 0.0 to 1.0. Default: 0.8." }),
	max_iterations: iterations,
	metrics: z
		.array(metric)
		.default([])
		.meta({ title: "Metrics", description: "What the score is made of." }),
	exit_conditions: conditions("confidence_score >= threshold"),
}).meta({ title: "Confidence loop", description: "Scores each turn; the score is advice." });

const policyGate = mapping({
	enabled: z.boolean().optional().meta({
		title: "Enabled",
		description:
			"Default: true where checks of kind acceptance exist or more than T0 is asked for. false: the task may merge ungated.",
	}),
	risk_tier: z.enum(["T0", "T1", "T2"]).optional().meta({
		title: "Risk tier",
		description:
			"T0 (default): acceptance; T1: lint and security as well, and readiness if configured; T2: all of it and a person's signature.",
	}),
	require_coverage: z.boolean().optional().meta({
		title: "Require coverage",
		description: "Whether the criteria must be covered by tests that ran. Default: false.",
	}),
	coverage_threshold: share.optional().meta({
		title: "Coverage threshold",
		description: "With require_coverage: share of the criteria, from 0.0 to 1.0. Default: 1.0.",
	}),
}).meta({ title: "Policy gate", description: "Which evidence a merge needs." });

const hil = mapping({
	enabled: z
		.boolean()
		.meta({ title: "Enabled", description: "Overrides human.enabled for this task." }),
}).meta({ title: "Human in the loop", description: "Whether a person is asked." });

/** `overlays` of a task or of `defaults`. */
export const overlaysSchema = mapping({
	paired_workflow: pairedWorkflow.optional(),
	confidence_loop: confidenceLoop.optional(),
	policy_gate: policyGate.optional(),
	hil: hil.optional(),
})
	.default({})
	.meta({ title: "Overlays", description: "What is added to the plain loop." });

/** `overlays` as the file has it. */
export type OverlaysFile = z.infer<typeof overlaysSchema>;

/** `overlays.policy_gate` as the file has it. */
export type GateFile = z.infer<typeof policyGate>;
