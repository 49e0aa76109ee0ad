import * as z from "zod";
import { budgetSchema } from "./schema-agents.ts";
import { CHECK_TIMEOUT_MS } from "./schema-checks.ts";
import { overlaysSchema } from "./schema-overlays.ts";
import { count, duration, line, mapping, text } from "./schema-values.ts";

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
	path: text.describe("Glob of files, relative to the root."),
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
	subtasks: z.array(subtask).min(1).optional().describe("Parts of the task, done in order."),
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
	...shared,
});

export type TaskFile = z.output<typeof taskSchema>;

export const defaultsSchema = mapping(shared);
