import * as z from "zod";
import { agentsSchema, budgetSchema, maxParallelSchema, sandboxSchema } from "./schema-agents.ts";
import { checksSchema, waiveSchema } from "./schema-checks.ts";
import { humanSchema } from "./schema-human.ts";
import { mutationSchema } from "./schema-mutation.ts";
import { defaultsSchema, taskSchema } from "./schema-tasks.ts";
import { count, line, mapping, text } from "./schema-values.ts";
import { verificationSchema } from "./schema-verification.ts";
import { PLAIN_MESSAGE } from "./task-subject.ts";

const merge = mapping({
	into: z.enum(["integration", "base", "none"]).default("integration").meta({
		title: "Into",
		description:
			"integration (default): the run's own branch; base: the base branch, at the end of the run; none: nowhere.",
	}),
	style: z.enum(["squash", "history"]).default("squash").meta({
		title: "Style",
		description:
			"squash (default): one commit for each task; history: the commits of its turns and a merge.",
	}),
	message: line.default(PLAIN_MESSAGE).meta({
		title: "Message",
		description:
			'Subject of a task\'s commit, such as "feat: {title}". Placeholders: {title}, {task}, {feature_id}. Default: {title}.',
	}),
})
	.default({ into: "integration", style: "squash", message: PLAIN_MESSAGE })
	.meta({ title: "Merge", description: "Where approved work goes." });

const code = mapping({
	remote: line.meta({
		title: "Remote",
		description:
			"Name of the git remote by which the work of a run travels between machines, such as origin.",
	}),
})
	.optional()
	.meta({ title: "Code", description: "How several machines share the code of a run." });

const agentName = line.optional();

/** The whole workflow file. `tasks` may be missing, since a task can also be given by itself. */
export const workflowSchema = mapping({
	version: z.literal(1).meta({ title: "Version", description: "Version of the format: 1." }),
	name: line.optional().meta({ title: "Name", description: "Default: the file's name." }),
	base: line
		.refine((value) => !value.startsWith("-"), 'must not start with "-"')
		.optional()
		.meta({
			title: "Base",
			description: "Branch to work from. Default: the one checked out when the run starts.",
		}),
	max_parallel: maxParallelSchema,
	code,
	store: line.optional().meta({
		title: "Store",
		description:
			"Address of the Postgres that several machines share, without a password, such as postgres://spar@db.example.org/sparring. SPAR_STORE takes precedence. Default: SQLite in the repository.",
	}),
	setup: z.array(text).default([]).meta({
		title: "Setup",
		description: "Commands that run once in every checkout, such as npm ci.",
	}),
	setup_inputs: z.array(text).default([]).meta({
		title: "Setup inputs",
		description:
			"Globs of files; setup runs again when one of them changes. Default: known manifests and lock files.",
	}),
	setup_cache: z.boolean().default(true).meta({
		title: "Setup cache",
		description:
			"Whether the result of setup is kept and copied into further checkouts. The cold run before a merge never uses it. Default: true.",
	}),
	copy: z.array(text).default([]).meta({
		title: "Copy",
		description:
			"Files that git ignores, as paths, folders or globs, such as .env: every checkout gets them as they are here when the run starts. Never committed.",
	}),
	agents: agentsSchema.optional(),
	checks: checksSchema,
	protected: z.array(text).default([]).meta({
		title: "Protected",
		description:
			"Globs of files that agents must not change, in addition to the workflow file and the files that define the checks.",
	}),
	sandbox: sandboxSchema.optional().meta({
		title: "Sandbox",
		description: "Whether agents and checks are confined: off (default), auto or required.",
	}),
	waive: waiveSchema.optional().meta({
		title: "Waive",
		description: "Kinds of evidence that are not required, each with the reason.",
	}),
	tie_breaker: agentName.meta({
		title: "Tie-breaker",
		description:
			"Agent that decides when the player and coach of a pair cannot agree. Default: google/gemini-flash-latest by API.",
	}),
	verifier: agentName.meta({
		title: "Verifier",
		description: "Agent that writes independent tests. Default: the challenger of the task's pair.",
	}),
	verification: verificationSchema,
	mutation: mutationSchema,
	planner: agentName.meta({
		title: "Planner",
		description:
			"Agent that turns requirements into tasks. Default: the challenger of the pair, else the only agent.",
	}),
	human: humanSchema,
	on_quota: z.enum(["ask", "wait", "fail"]).optional().meta({
		title: "On quota",
		description:
			"When an agent's account has reached its limit: ask a person once for each agent (default), wait for the reset, or fail the task. With people off the default is wait.",
	}),
	budget: budgetSchema
		.optional()
		.meta({ title: "Budget", description: "Limits of cost and time for the run." }),
	merge,
	keep_runs: count.default(50).meta({
		title: "Kept runs",
		description:
			"Number of finished runs whose outputs, transcripts and checkouts are kept; records and unmerged work are always kept. Default: 50.",
	}),
	defaults: defaultsSchema.optional().meta({
		title: "Defaults",
		description:
			"Defaults of every task. A task's own keys override them; a list replaces the default list.",
	}),
	tasks: z
		.record(z.string(), taskSchema)
		.optional()
		.meta({ title: "Tasks", description: "The tasks by id." }),
}).meta({ title: "Sparring workflow", description: "Agents, checks, tasks and their order." });

/** The workflow file after the schema, defaults filled in. */
export type WorkflowFile = z.infer<typeof workflowSchema>;

/** The workflow file before it is checked: what a program may write in its place. */
export type WorkflowValue = z.input<typeof workflowSchema>;
