import * as z from "zod";
import type { BudgetFile } from "./schema-agents.ts";
import { budgetSchema } from "./schema-agents.ts";
import { count, line, mapping, share, text } from "./schema-values.ts";

/** The exit condition of a pair that writes none. */
export const DEFAULT_PAIR_EXIT = "pair.challenger_approved == true";

/** Turns of a task without `max_turns`. */
const MAX_TURNS = 10;

/** A task as the file has it, defaults merged: what this version reads. */
export interface TaskFile {
	agent?: string | undefined;
	description: string;
	acceptance_criteria: string[];
	context_files: string[];
	depends_on: string[];
	requires_verification: "auto" | boolean;
	requires_human: boolean;
	max_turns: number;
	budget?: BudgetFile | undefined;
	overlays: {
		paired_workflow?:
			| {
					enabled: boolean;
					driver_agent?: string | undefined;
					challenger_agent?: string | undefined;
					max_iterations?: number | undefined;
			  }
			| undefined;
		policy_gate?: { enabled?: boolean | undefined } | undefined;
		hil?: { enabled: boolean } | undefined;
	};
}

const conditions = z.array(text).min(1).optional().meta({
	title: "Exit conditions",
	description: "Expressions; any one that holds ends the loop.",
});
const iterations = count.optional().meta({
	title: "Iterations",
	description: "Bound of the loop; with max_turns the smaller one counts.",
});
const enabled = z
	.boolean()
	.default(false)
	.meta({ title: "Enabled", description: "Default: false." });

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
		description: "When the seats swap. Default: session, which is never.",
	}),
	checkpoints: z
		.array(z.union([count, text]))
		.optional()
		.meta({
			title: "Checkpoints",
			description: "Turn numbers or subtask ids after which seats swap.",
		}),
	max_iterations: iterations,
	exit_conditions: conditions,
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
		.optional()
		.meta({ title: "Weight", description: "Above 0; weights are normalised." }),
	evaluator_agent: line.optional().meta({
		title: "Evaluator",
		description: "Agent that scores; llm_judge needs one that has no seat in the task.",
	}),
});

const confidenceLoop = mapping({
	enabled,
	mode: z
		.enum(["composite", "raw"])
		.optional()
		.meta({ title: "Mode", description: "composite: weighted mean; raw: each metric for itself." }),
	threshold: share.optional().meta({ title: "Threshold", description: "From 0.0 to 1.0." }),
	max_iterations: iterations,
	metrics: z
		.array(metric)
		.optional()
		.meta({ title: "Metrics", description: "What the score is made of." }),
	exit_conditions: conditions,
}).meta({ title: "Confidence loop", description: "Scores each turn." });

const policyGate = mapping({
	enabled: z.boolean().optional().meta({
		title: "Enabled",
		description:
			"Default: true where checks of kind acceptance exist. false: the task may merge ungated.",
	}),
	risk_tier: z
		.enum(["T0", "T1", "T2"])
		.optional()
		.meta({ title: "Risk tier", description: "Which evidence is required. Default: T0." }),
	require_coverage: z.boolean().optional().meta({
		title: "Require coverage",
		description: "Whether every requirement must be covered by a test.",
	}),
	coverage_threshold: share
		.optional()
		.meta({ title: "Coverage threshold", description: "Share of requirements, from 0.0 to 1.0." }),
}).meta({ title: "Policy gate", description: "Which evidence a merge needs." });

const hil = mapping({
	enabled: z
		.boolean()
		.meta({ title: "Enabled", description: "Overrides human.enabled for this task." }),
}).meta({ title: "Human in the loop", description: "Whether a person is asked." });

const overlays = mapping({
	paired_workflow: pairedWorkflow.optional(),
	confidence_loop: confidenceLoop.optional(),
	policy_gate: policyGate.optional(),
	hil: hil.optional(),
})
	.default({})
	.meta({ title: "Overlays", description: "What is added to the plain loop." });

const subtask = mapping({
	id: line.meta({ title: "Id", description: "Unique in the task." }),
	description: text.meta({ title: "Description", description: "What is to be done." }),
	acceptance_criteria: z
		.array(text)
		.optional()
		.meta({ title: "Acceptance criteria", description: "What must hold afterwards." }),
});

const shared = {
	agent: line
		.optional()
		.meta({ title: "Agent", description: "Who does it; in a pair the driver." }),
	acceptance_criteria: z.array(text).default([]).meta({
		title: "Acceptance criteria",
		description: "What must hold afterwards, one sentence each.",
	}),
	context_files: z.array(text).default([]).meta({
		title: "Context files",
		description: "Files to read first, relative to the repository root.",
	}),
	requires_verification: z
		.union([z.literal("auto"), z.boolean()])
		.default("auto")
		.meta({
			title: "Requires verification",
			description: "Whether independent tests are written: auto, true or false.",
		}),
	requires_human: z.boolean().default(false).meta({
		title: "Requires human",
		description: "Whether a person must agree before the merge.",
	}),
	max_turns: count
		.default(MAX_TURNS)
		.meta({ title: "Turns", description: "Bound of the loop. Default: 10." }),
	budget: budgetSchema.optional().meta({ title: "Budget", description: "What the task may cost." }),
	overlays,
};

/** One task. */
export const taskSchema: z.ZodType<TaskFile> = mapping({
	description: text.meta({ title: "Description", description: "What is to be done." }),
	depends_on: z
		.array(line)
		.default([])
		.meta({ title: "Depends on", description: "Ids of the tasks that must be complete before." }),
	subtasks: z
		.array(subtask)
		.optional()
		.meta({ title: "Subtasks", description: "Parts that are done one after another." }),
	formal_review: z.boolean().optional().meta({
		title: "Formal review",
		description: "A later, independent review of the tasks it depends on; changes no file.",
	}),
	...shared,
});

/** What every task has unless it says otherwise. */
export const defaultsSchema: z.ZodType<object> = mapping(shared);
