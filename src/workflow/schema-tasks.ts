import * as z from "zod";
import { aboutGlob, subtaskJudge } from "./complaints.ts";
import { budgetSchema } from "./schema-agents.ts";
import { CHECK_TIMEOUT_MS } from "./schema-checks.ts";
import {
	count,
	duration,
	judged,
	judgedList,
	line,
	mapping,
	share,
	text,
	verbatim,
} from "./schema-values.ts";

export const DEFAULT_PAIR_EXIT = "pair.challenger_approved == true";

const THRESHOLD = 0.8;

const WEIGHT = 1;

const iterations = count.optional().meta({
	title: "Iterations",
	description:
		"Maximum number of turns; the smallest of this, max_turns and the other overlay's value applies.",
});
const enabled = z.boolean().default(false).describe("Default: false.");
const conditions = (standard: string) =>
	z
		.array(text)
		.min(1)
		.optional()
		.describe(`Expressions; the loop ends when any one of them holds. Default: ${standard}.`);

const pairedWorkflow = mapping({
	enabled,
	driver_agent: line
		.optional()
		.meta({ title: "Driver", description: "Agent that starts as player." }),
	challenger_agent: line
		.optional()
		.meta({ title: "Challenger", description: "Agent that starts as coach." }),
	role_switch: z
		.enum(["session", "subtask", "checkpoint"])
		.optional()
		.describe(
			"When the two agents swap seats: session (default): never; subtask: after each subtask; checkpoint: after `checkpoints`.",
		),
	checkpoints: z
		.array(
			z.union([count, line], {
				error: "must be a turn number (1 or higher) or the id of a subtask",
			}),
		)
		.optional()
		.describe(
			"Turn numbers and subtask ids after which the seats swap; requires role_switch: checkpoint.",
		),
	max_iterations: iterations,
	exit_conditions: conditions(DEFAULT_PAIR_EXIT),
}).describe("Two agents: one builds, the other challenges.");

export const metricSchema = verbatim({
	type: z
		.enum([
			...(["test_coverage", "lint_score", "security_score", "checklist_completion"] as const),
			...(["llm_judge", "requirement_coverage", "mutation_score"] as const),
		])
		.describe("What is measured."),
	weight: z.number().gt(0).default(WEIGHT).describe("Above 0; weights are normalised. Default: 1."),
	evaluator_agent: line.optional().meta({
		title: "Evaluator",
		description: "Agent that scores; llm_judge requires one that has no seat in the task.",
	}),
});

const confidenceLoop = mapping({
	enabled,
	mode: z
		.enum(["composite", "raw"])
		.default("composite")
		.describe("composite (default): weighted mean; raw: each metric against the threshold."),
	threshold: share.default(THRESHOLD).describe("From 0.0 to 1.0. Default: 0.8."),
	max_iterations: iterations,
	metrics: z.array(metricSchema).default([]).describe("Metrics that make up the score."),
	exit_conditions: conditions("confidence_score >= threshold"),
}).describe("Scores each turn; the score is advisory.");

const policyGate = mapping({
	enabled: z
		.boolean()
		.optional()
		.describe(
			"Default: true if there is an acceptance check or more than T0 is required. false: the task may merge without a gate.",
		),
	risk_tier: z
		.enum(["T0", "T1", "T2"])
		.optional()
		.describe(
			"T0 (default): acceptance; T1: also lint and security, and readiness if configured; T2: all of these and a person's signature.",
		),
	require_coverage: z
		.boolean()
		.optional()
		.describe("Whether the criteria must be covered by tests that ran. Default: false."),
	coverage_threshold: share
		.optional()
		.describe(
			"With require_coverage: share of the criteria that must be covered, from 0.0 to 1.0. Default: 1.0.",
		),
}).describe("Which evidence a merge needs.");

const hil = mapping({
	enabled: z.boolean().describe("Overrides human.enabled for this task."),
});

export const overlaysSchema = mapping({
	paired_workflow: pairedWorkflow.optional(),
	confidence_loop: confidenceLoop.optional(),
	policy_gate: policyGate.optional(),
	hil: hil
		.optional()
		.meta({ title: "Human in the loop", description: "Whether a person is asked." }),
})
	.prefault({})
	.describe("Additions to the basic loop.");

export type OverlaysFile = z.output<typeof overlaysSchema>;

export type GateFile = z.output<typeof policyGate>;

export type LoopFile = z.output<typeof confidenceLoop>;

const MAX_TURNS = 10;

const subtask = mapping({
	id: line.describe("Unique in the task."),
	description: text.describe("What to do."),
	acceptance_criteria: z.array(text).min(1).describe("What must be true afterwards."),
});

const CHANGES = ["delete", "rename", "skip", "weaken", "edit"] as const;

/** Permitted change of a file of the tests or of the checks. */
export type AllowedKind = (typeof CHANGES)[number];

const allowance = mapping({
	path: judged(text, aboutGlob).describe("Glob of files, relative to the root."),
	change: z
		.enum(CHANGES)
		.describe(
			"What may be done to them: delete, rename, skip tests, weaken them, or edit (data, configuration, CI, build files, and tests that keep their assertions).",
		),
	reason: text.describe("Why the task asks for it; reports show it."),
});

const checklistItem = mapping({
	item: line.describe("What must hold, in words."),
	run: text.describe("Shell command that shows it, run at the root of the checkout: 0 means done."),
	timeout: duration
		.default(CHECK_TIMEOUT_MS)
		.describe("Maximum duration, such as 90s or 5m. Default: 10m."),
});

const shared = {
	agent: line.optional().describe("Agent that does the task; in a pair, the driver."),
	acceptance_criteria: z
		.array(text)
		.default([])
		.describe("What must be true afterwards, one sentence each."),
	context_files: z
		.array(text)
		.default([])
		.describe("Files to read first, relative to the repository root."),
	checklist: z
		.array(checklistItem)
		.optional()
		.describe(
			"Commands that Sparring runs on the commit of each turn; the metric checklist_completion is the share that passed.",
		),
	requires_verification: z
		.union([z.literal("auto"), z.boolean()])
		.default("auto")
		.transform((flag) => (flag === "auto" ? flag : (`${flag}` as const)))
		.describe("Whether independent tests are written: auto, true or false."),
	requires_human: z
		.boolean()
		.default(false)
		.describe("Whether a person must agree before the merge."),
	max_turns: count
		.default(MAX_TURNS)
		.meta({ title: "Turns", description: "Maximum number of turns. Default: 10." }),
	feature_id: line
		.optional()
		.describe("Label of the feature that the task belongs to; shown in trace, status and state."),
	budget: budgetSchema.optional().describe("Limits of cost and time for the task."),
	overlays: overlaysSchema,
};

export const taskSchema = mapping({
	description: text.describe("What to do."),
	depends_on: z
		.array(line)
		.default([])
		.transform((ids) => [...new Set(ids)])
		.describe("Ids of the tasks that must complete first."),
	subtasks: judgedList(z.array(subtask).min(1), subtaskJudge, "id")
		.optional()
		.describe("Parts of the task, done in order."),
	verification_reason: text
		.optional()
		.describe("Why the task needs independent tests or none, as the planner or a person says."),
	verification_by: z
		.enum(["planner", "person"])
		.optional()
		.describe(
			"Who set requires_verification: planner (spar plan) or person (spar approve). Without it: the file.",
		),
	allow: z
		.array(allowance)
		.optional()
		.describe("Changes to tests and to what defines the checks that this task asks for."),
	formal_review: z
		.boolean()
		.optional()
		.describe("A later, independent review of the tasks it depends on; changes no file."),
	player: line.optional().describe("Agent that does the task, in place of the file's player."),
	coach: line
		.optional()
		.describe("Agent that challenges it, in place of the file's coach; none: nobody does."),
	...shared,
});

export type TaskFile = z.output<typeof taskSchema>;

export const defaultsSchema = mapping(shared);
