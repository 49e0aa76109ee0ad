import * as z from "zod";
import { budgetSchema } from "./schema-agents.ts";
import { CHECK_TIMEOUT_MS } from "./schema-checks.ts";
import { overlaysSchema } from "./schema-overlays.ts";
import { count, duration, line, mapping, text } from "./schema-values.ts";

const MAX_TURNS = 10;

const subtask = mapping({
	id: line.meta({ title: "Id", description: "Unique in the task." }),
	description: text.meta({ title: "Description", description: "What to do." }),
	acceptance_criteria: z
		.array(text)
		.min(1)
		.meta({ title: "Acceptance criteria", description: "What must be true afterwards." }),
});

const CHANGES = ["delete", "rename", "skip", "weaken", "edit"] as const;

/** Permitted change of a file of the tests or of the checks. */
export type AllowedKind = (typeof CHANGES)[number];

const allowance = mapping({
	path: text.meta({ title: "Path", description: "Glob of files, relative to the root." }),
	change: z.enum(CHANGES).meta({
		title: "Change",
		description:
			"What may be done to them: delete, rename, skip tests, weaken them, or edit (data, configuration, CI, build files, and tests that keep their assertions).",
	}),
	reason: text.meta({ title: "Reason", description: "Why the task asks for it; reports show it." }),
});

const checklistItem = mapping({
	item: line.meta({ title: "Item", description: "What must hold, in words." }),
	run: text.meta({
		title: "Run",
		description: "Shell command that shows it, run at the root of the checkout: 0 means done.",
	}),
	timeout: duration
		.default(CHECK_TIMEOUT_MS)
		.meta({ title: "Timeout", description: "Maximum duration, such as 90s or 5m. Default: 10m." }),
});

const shared = {
	agent: line
		.optional()
		.meta({ title: "Agent", description: "Agent that does the task; in a pair, the driver." }),
	acceptance_criteria: z.array(text).default([]).meta({
		title: "Acceptance criteria",
		description: "What must be true afterwards, one sentence each.",
	}),
	context_files: z.array(text).default([]).meta({
		title: "Context files",
		description: "Files to read first, relative to the repository root.",
	}),
	checklist: z.array(checklistItem).optional().meta({
		title: "Checklist",
		description:
			"Commands that Sparring runs on the commit of each turn; the metric checklist_completion is the share that passed.",
	}),
	requires_verification: z
		.union([z.literal("auto"), z.boolean()])
		.default("auto")
		.transform((flag) => (flag === "auto" ? flag : (`${flag}` as const)))
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
		.meta({ title: "Turns", description: "Maximum number of turns. Default: 10." }),
	feature_id: line.optional().meta({
		title: "Feature id",
		description: "Label of the feature that the task belongs to; shown in trace, status and state.",
	}),
	budget: budgetSchema
		.optional()
		.meta({ title: "Budget", description: "Limits of cost and time for the task." }),
	overlays: overlaysSchema,
};

export const taskSchema = mapping({
	description: text.meta({ title: "Description", description: "What to do." }),
	depends_on: z
		.array(line)
		.default([])
		.transform((ids) => [...new Set(ids)])
		.meta({ title: "Depends on", description: "Ids of the tasks that must complete first." }),
	subtasks: z
		.array(subtask)
		.min(1)
		.optional()
		.meta({ title: "Subtasks", description: "Parts of the task, done in order." }),
	verification_reason: text.optional().meta({
		title: "Verification reason",
		description: "Why the task needs independent tests or none, as the planner or a person says.",
	}),
	verification_by: z.enum(["planner", "person"]).optional().meta({
		title: "Verification by",
		description:
			"Who set requires_verification: planner (spar plan) or person (spar approve). Without it: the file.",
	}),
	allow: z.array(allowance).optional().meta({
		title: "Allow",
		description: "Changes to tests and to what defines the checks that this task asks for.",
	}),
	formal_review: z.boolean().optional().meta({
		title: "Formal review",
		description: "A later, independent review of the tasks it depends on; changes no file.",
	}),
	...shared,
});

export type TaskFile = z.output<typeof taskSchema>;

export const defaultsSchema = mapping(shared);
