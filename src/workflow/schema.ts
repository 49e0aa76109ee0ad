import * as z from "zod";
import {
	aboutCopy,
	aboutGlob,
	aboutMessage,
	aboutStore,
	aboutWebhook,
	wordJudge,
} from "./complaints.ts";
import { END_VALUE_NAMES, ITEM_VALUE_NAMES, MUTATION_TIMEOUT_MS, PLAIN_MESSAGE } from "./limits.ts";
import { agentsSchema, budgetSchema, maxParallelSchema, sandboxSchema } from "./schema-agents.ts";
import { checksSchema, waiveSchema } from "./schema-checks.ts";
import { defaultsSchema, taskSchema } from "./schema-tasks.ts";
import {
	count,
	duration,
	environment,
	judged,
	judgedList,
	line,
	mapping,
	program,
	text,
	unlessEmpty,
} from "./schema-values.ts";

/** A call of the verifier's agent without `llm_timeout` and `verification.timeout`, in milliseconds: 3 minutes. */
export const LLM_TIMEOUT_MS = 180_000;

const CONTEXT_TIMEOUT_MS = 60_000;
const ACK_WAIT_MS = 30_000;

const name = z
	.string()
	.regex(
		/^[A-Za-z0-9_-]+$/,
		'may only contain letters, digits, "_" and "-" (it is a name in NATS)',
	);

const subject = z
	.string()
	.regex(
		/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/,
		'must be a subject such as "workflow.async.test-verifier", without wildcards',
	);

const server = z
	.string()
	.regex(/^(nats|tls):\/\/\S+$/, "must be an address such as nats://127.0.0.1:4222")
	.refine(
		(value) => !value.includes("@"),
		"must hold no user, password or token: set NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS in the environment",
	);

export const natsSchema = mapping({
	servers: z
		.array(server)
		.min(1)
		.optional()
		.transform((servers = []) => servers)
		.describe(
			"Addresses of the NATS servers. NATS_URL comes before them. Default: nats://127.0.0.1:4222.",
		),
	stream_name: name
		.default("WORKFLOW")
		.describe("JetStream stream that keeps requests and results. Default: WORKFLOW."),
	consumer_name: name
		.default("test-verifier")
		.describe("Durable consumer that all verifiers share. Default: test-verifier."),
	trigger_subject: subject
		.default("workflow.async.test-verifier")
		.describe("Subject of the requests. Default: workflow.async.test-verifier."),
	result_subject_prefix: subject
		.default("workflow.result.test-verifier")
		.describe(
			"Results of a task are on this, its run and its id. Default: workflow.result.test-verifier.",
		),
	context_subject_prefix: subject
		.default("context.build")
		.describe("First part of the keys in the bucket. Default: context.build."),
	context_response_bucket: name
		.default("CONTEXT_RESPONSES")
		.describe("Key-value bucket of what requests are about. Default: CONTEXT_RESPONSES."),
	context_timeout: duration
		.default(CONTEXT_TIMEOUT_MS)
		.describe("How long one side waits for a sign of the other. Default: 60s."),
	llm_timeout: duration.optional().meta({
		title: "LLM timeout",
		description:
			"Maximum duration of a call of the verifier's agent. Default: verification.timeout, else 180s.",
	}),
	ack_wait: duration
		.default(ACK_WAIT_MS)
		.describe(
			"After how long without a sign of life a request is given to another verifier. Default: 30s.",
		),
});

const placeholder = (name: string): string => `\${${name}}`;
const listed = (names: readonly string[]): string => names.map(placeholder).join(", ");
const VARIABLE = `${placeholder("NAME")} is replaced by an environment variable.`;

const notifierWith = (names: readonly string[]) =>
	z.discriminatedUnion("type", [
		mapping({
			type: z.literal("command").describe("Runs a program."),
			run: judgedList(program, wordJudge(names)).describe(
				`Program and arguments, no shell; arguments may contain ${listed(names)}.`,
			),
		}),
		mapping({
			type: z.literal("webhook").describe("Posts JSON to an address."),
			url: judged(line, aboutWebhook).meta({
				title: "Address",
				description: `https, or http on this machine; ${VARIABLE}`,
			}),
			headers: z.record(z.string(), line).optional().describe(`By name; ${VARIABLE}`),
		}),
	]);

export const notifierSchema = notifierWith(ITEM_VALUE_NAMES);

const notify = mapping({
	on_created: z
		.array(notifierSchema)
		.prefault([])
		.describe("Notified when a question for a person is created."),
	on_t2_gate: z.array(notifierSchema).prefault([]).meta({
		title: "On T2 gate",
		description: "Notified when a task of tier T2 waits for a signature.",
	}),
	on_end: z
		.array(notifierWith(END_VALUE_NAMES))
		.prefault([])
		.describe("Notified when a run ends, or waits for a person and can do nothing else."),
}).describe("Who is notified.");

type Notifiers = z.output<typeof notify>;

type NoticeLists = Omit<Notifiers, "onEnd"> & { readonly onEnd?: Notifiers["onEnd"] | undefined };

const humanSchema = mapping({
	enabled: z.boolean().default(true).describe("Default: true."),
	notify: notify
		.transform(({ onCreated, onT2Gate, onEnd }): NoticeLists | undefined =>
			onCreated.length + onT2Gate.length + onEnd.length === 0
				? undefined
				: { onCreated, onT2Gate, onEnd: unlessEmpty(onEnd) },
		)
		.optional(),
})
	.prefault({})
	.describe("Whether and how a person is asked.");

const mutationSchema = mapping({
	when: z
		.enum(["auto", "always", "never"])
		.default("auto")
		.describe(
			"When the acceptance checks are run on mutants of the changed lines: auto (default): in tasks that a verifier writes tests for, and for the metric mutation_score; always; never.",
		),
	timeout: duration
		.default(MUTATION_TIMEOUT_MS)
		.describe("Maximum duration of the mutants of a turn together, such as 10m. Default: 3m."),
})
	.prefault({})
	.describe("Mutation testing of the changed lines.");

/** Run of a verifier's tests without `run_timeout`, in milliseconds: 10 minutes. */
const RUN_TIMEOUT_MS = 600_000;
/** Failed verifications after which a person is asked. */
const ATTEMPTS = 3;

export const verificationSchema = mapping({
	agent: line
		.optional()
		.describe("The same as `verifier`; both may stand only with the same value."),
	timeout: duration
		.optional()
		.describe("Maximum duration of a verifier's call, such as 30m. Default: the agent's."),
	attempts: count
		.default(ATTEMPTS)
		.describe("Failed verifications after which a person is asked. Default: 3."),
	run_timeout: duration
		.default(RUN_TIMEOUT_MS)
		.describe("Maximum duration of one run of its tests, such as 90s. Default: 10m."),
	paths: z
		.array(judged(text, aboutGlob))
		.default([])
		.describe("Globs of files that a verifier may add. Default: where tests of this kind stand."),
	via: z
		.enum(["in_process", "nats"])
		.default("in_process")
		.describe("in_process (default): the run verifies; nats: spar verifier does, asked over NATS."),
	nats: natsSchema
		.optional()
		.meta({ title: "NATS", description: "How spar verifier is asked with `via: nats`." }),
})
	.prefault({})
	.describe("Independent tests: their author and limits.");

const merge = mapping({
	into: z
		.enum(["integration", "base", "none"])
		.default("integration")
		.describe(
			"integration (default): the run's own branch; base: the base branch, at the end of the run; none: nowhere.",
		),
	style: z
		.enum(["squash", "history"])
		.default("squash")
		.describe(
			"squash (default): one commit for each task; history: the commits of its turns and a merge.",
		),
	message: judged(line, aboutMessage)
		.default(PLAIN_MESSAGE)
		.describe(
			'Subject of a task\'s commit, such as "feat: {title}". Placeholders: {title}, {task}, {feature_id}. Default: {title}.',
		),
})
	.prefault({})
	.describe("Where approved work goes.");

const code = mapping({
	remote: judged(line, (remote) =>
		/^\w[\w./-]*$/.test(remote)
			? undefined
			: {
					message: "code.remote must be the name of a git remote",
					hint: "such as origin; `git remote -v` lists the names",
				},
	).describe(
		"Name of the git remote by which the work of a run travels between machines, such as origin.",
	),
})
	.optional()
	.describe("How several machines share the code of a run.");

const agentName = line.optional();

/** The whole workflow file. `tasks` may be missing, since a task can also be given by itself. */
export const workflowSchema = mapping({
	version: z.literal(1).describe("Version of the format: 1."),
	name: line.optional().describe("Default: the file's name."),
	base: line
		.refine((value) => !value.startsWith("-"), 'must not start with "-"')
		.optional()
		.describe("Branch to work from. Default: the one checked out when the run starts."),
	max_parallel: maxParallelSchema,
	code,
	store: judged(line, aboutStore)
		.optional()
		.describe(
			"Address of the Postgres that several machines share, without a password, such as postgres://spar@db.example.org/sparring. SPAR_STORE takes precedence. Default: SQLite in the repository.",
		),
	setup: z
		.array(text)
		.default([])
		.describe("Commands that run once in every checkout, such as npm ci."),
	setup_inputs: z
		.array(judged(text, aboutGlob))
		.default([])
		.describe(
			"Globs of files; setup runs again when one of them changes. Default: known manifests and lock files.",
		),
	setup_cache: z
		.boolean()
		.default(true)
		.describe(
			"Whether the result of setup is kept and copied into further checkouts. The cold run before a merge never uses it. Default: true.",
		),
	copy: z
		.array(judged(text, aboutCopy))
		.prefault([])
		.transform(unlessEmpty)
		.describe(
			"Files that git ignores, as paths, folders or globs, such as .env: every checkout gets them as they are here when the run starts. Never committed.",
		),
	env: environment
		.prefault([])
		.transform(unlessEmpty)
		.describe("Names of variables of your environment that checks see as well."),
	conventions: z
		.boolean()
		.optional()
		.describe(
			"Whether players are given AGENTS.md, CLAUDE.md and their like as they stand at the base commit. Default: true.",
		),
	agents: agentsSchema.optional(),
	player: agentName.describe(
		"Agent that builds every task that names no other, by name; a coding agent (claude, codex, gemini, opencode) needs no entry in `agents`.",
	),
	coach: agentName.describe(
		"Agent that challenges every task that names no other, as the challenger of a pair; none, or no such key: no coach.",
	),
	checks: checksSchema,
	protected: z
		.array(judged(text, aboutGlob))
		.default([])
		.describe(
			"Globs of files that agents must not change, in addition to the workflow file and the files that define the checks.",
		),
	sandbox: sandboxSchema
		.optional()
		.describe("Whether agents and checks are confined: off (default), auto or required."),
	waive: waiveSchema
		.optional()
		.describe("Kinds of evidence that are not required, each with the reason."),
	tie_breaker: agentName.meta({
		title: "Tie-breaker",
		description:
			"Agent that decides when the player and coach of a pair cannot agree. Default: google/gemini-flash-latest by API.",
	}),
	verifier: agentName.describe(
		"Agent that writes independent tests. Default: the challenger of the task's pair.",
	),
	verification: verificationSchema,
	mutation: mutationSchema,
	planner: agentName.describe(
		"Agent that turns requirements into tasks. Default: the challenger of the pair, else the only agent.",
	),
	human: humanSchema,
	on_quota: z
		.enum(["ask", "wait", "fail"])
		.optional()
		.describe(
			"When an agent's account has reached its limit: ask a person once for each agent (default), wait for the reset, or fail the task. With people off the default is wait.",
		),
	budget: budgetSchema.optional().describe("Limits of cost and time for the run."),
	merge,
	keep_runs: count.default(50).meta({
		title: "Kept runs",
		description:
			"Number of finished runs whose outputs, transcripts and checkouts are kept; records and unmerged work are always kept. Default: 50.",
	}),
	defaults: defaultsSchema
		.optional()
		.describe(
			"Defaults of every task. A task's own keys override them; a list replaces the default list.",
		),
	tasks: z.record(z.string(), taskSchema).optional().describe("The tasks by id."),
}).meta({ title: "Sparring workflow", description: "Agents, checks, tasks and their order." });

export type WorkflowFile = z.output<typeof workflowSchema>;

type LongValue = z.input<typeof workflowSchema>;

/** Entries of which each may be a text: a check's command, a task's description. */
type OrText<Entries> =
	Entries extends Readonly<Record<string, infer Entry>>
		? Readonly<Record<string, Entry | string>>
		: Entries;

/** The workflow file before it is checked: what a program may write in its place. */
export type WorkflowValue = Omit<LongValue, "checks" | "tasks"> & {
	readonly [Key in "checks" | "tasks"]?: OrText<LongValue[Key]>;
};
