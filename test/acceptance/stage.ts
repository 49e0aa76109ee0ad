import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { type ScriptedAgents, type Step, scriptedAgents } from "../support/scripted-agents.ts";
import { type SparOptions, type SparResult, spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { pair, workflow } from "../support/workflow.ts";

/** The criterion of every task that names none. */
export const CRITERION = "the work is done";

const taskReport = z.looseObject({
	status: z.string(),
	phase: z.string(),
	turns: z.int(),
	success: z.boolean().nullable(),
	failure_reason: z.string().nullable(),
	flags: z.array(z.string()),
	branch: z.string(),
	commit: z.string().nullable(),
	merged: z.boolean(),
	challenger_approved: z.boolean().nullable(),
	confidence_score: z.number().nullable(),
	verification: z.string().nullable(),
	gate: z.looseObject({ risk_tier: z.string(), verdict: z.enum(["PASS", "FAIL"]) }).nullable(),
	open_findings: z.int(),
	human_item: z.string().nullable(),
	trace_path: z.string().nullable(),
});

/** What `spar run --json` and `spar status --json` print: at least these keys, since adding is free. */
const runReport = z.looseObject({
	run_id: z.string(),
	workflow: z.string(),
	status: z.enum(["running", "paused_for_user_escalation", "completed", "failed", "cancelled"]),
	base: z.string(),
	branch: z.string(),
	tasks: z.record(z.string(), taskReport),
});

const traceFile = z.looseObject({
	status: z.string(),
	turns: z.int(),
	agent_invocations: z.record(z.string(), z.int()),
	events: z.array(
		z.looseObject({
			type: z.string(),
			turn: z.int().nullable(),
			node: z.string().nullable(),
			timestamp: z.string(),
			data: z.record(z.string(), z.unknown()),
		}),
	),
});

export type Report = z.infer<typeof runReport>;
export type Trace = z.infer<typeof traceFile>;

/** How a `spar run` or `spar resume` ended, with its report. */
export interface Outcome extends SparResult {
	readonly report: Report;
	/** The task `one`, or the first of those named otherwise. */
	readonly task: Report["tasks"][string];
}

export interface Play {
	readonly steps: readonly Step[];
	/** Files of the first commit beside the check's. */
	readonly files?: Files;
	/** Keys of the task `one`. */
	readonly task?: Readonly<Record<string, unknown>>;
	/** Keys of the workflow file; `tasks` replaces the task `one`. */
	readonly workflow?: Readonly<Record<string, unknown>> & { readonly agents?: object };
	/** Default: human in the loop is off, so that nothing waits. */
	readonly human?: boolean;
	readonly name?: string;
}

/** A repository with a workflow file, agents that play a script, and a check that prints what `results.tap` says. */
export interface Stage {
	readonly repo: TestRepository;
	readonly agents: ScriptedAgents;
	/** Any command. */
	readonly spar: (args: readonly string[], options?: SparOptions) => Promise<SparResult>;
	/** Writes the workflow file, or one beside it, with these keys replaced; commits nothing. */
	readonly rewrite: (keys: Readonly<Record<string, unknown>>, path?: string) => void;
	/** `spar run --json` with further arguments. */
	readonly run: (...args: readonly string[]) => Promise<Outcome>;
	/** `spar resume --json` with further arguments. */
	readonly resume: (...args: readonly string[]) => Promise<Outcome>;
	/** A command with `--json`, its standard output parsed. */
	readonly json: (...args: readonly string[]) => Promise<unknown>;
	/** The trace of a task of the newest run, from the file that other tools read. */
	readonly trace: (task?: string) => Trace;
	/** Text of a file below the repository's home, such as what an agent kept of its prompt. */
	readonly kept: (name: string) => string;
}

export const TAP_OK = "TAP version 13\n1..1\nok 1 - works\n";
export const TAP_RED = "TAP version 13\n1..1\nnot ok 1 - works\n";

/** A check whose result is a file of the tree, so that each turn can say how it goes. */
export const TESTS = { kind: "acceptance", run: "sh check.sh", timeout: "20s" };
const CHECK_FILES: Files = {
	"check.sh": "cat results.tap\n! grep -q '^not ok' results.tap\n",
	"results.tap": TAP_OK,
};

/** A player that changes a file in each turn. */
export const WORKS: Step = { role: "player", run: "echo turn $SPAR_TURN >> work.txt" };

/** A coach's report that approves the one criterion. */
export const APPROVAL: Readonly<Record<string, unknown>> = {
	decision: "approve",
	rationale: "All is there.",
	requirements_status: [{ criterion: CRITERION, met: true, evidence: "seen" }],
};

/** A coach that approves everything it is asked about. */
export const APPROVES: Step = { role: "coach", report: APPROVAL };

/** A command that reports like `report`, with this answer to every suspicion. */
export function answersSuspicions(
	ok: boolean,
	report: Readonly<Record<string, unknown>> = APPROVAL,
): string {
	return `node -e '
const fs = require("node:fs");
const { suspicions } = JSON.parse(fs.readFileSync(process.env.SPAR_CONTEXT));
const suspicions_status = suspicions.map(({ id }) => ({ id, ok: ${ok}, reason: "it ends the runner" }));
const report = { ...${JSON.stringify(report)}, suspicions_status };
fs.writeFileSync(process.env.SPAR_REPORT, JSON.stringify(report));'`;
}

/** A coach's report that calls the criterion met and lists findings. */
export function sendsBack(
	...items: readonly Readonly<Record<string, unknown>>[]
): Readonly<Record<string, unknown>> {
	return {
		decision: "feedback",
		rationale: "Not yet.",
		requirements_status: [{ criterion: CRITERION, met: true, evidence: "seen" }],
		feedback_items: items,
	};
}

/** A repository that is removed after the tests of the file. */
export function scratch(options: Parameters<typeof repository>[0] = {}): TestRepository {
	const repo = repository(options);
	tidyLater(() => repo.remove());
	return repo;
}

/** What a process printed as JSON, taken apart. */
export function outcomeOf(result: SparResult): Outcome {
	if (result.stdout === "")
		throw new Error(`no report; exit code ${result.code}: ${result.stderr}`);
	const report = runReport.parse(JSON.parse(result.stdout));
	const task = report.tasks["one"] ?? Object.values(report.tasks)[0];
	if (task === undefined) throw new Error("a report without tasks");
	return { ...result, report, task };
}

/** Sets a stage; nothing has run yet. */
export function stage(play: Play): Stage {
	const repo = scratch(play.name === undefined ? {} : { name: play.name });
	repo.write({ ...CHECK_FILES, ...play.files });
	const agents = scriptedAgents(repo, play.steps);
	const one = {
		agent: "dev",
		description: "Do the work.",
		acceptance_criteria: [CRITERION],
		overlays: pair(),
		...play.task,
	};
	const { agents: more = {}, ...rest } = play.workflow ?? {};
	const content = {
		agents: { ...agents.agents, ...more },
		checks: { tests: TESTS },
		human: { enabled: play.human === true },
		tasks: { one },
		...rest,
	};
	const rewrite: Stage["rewrite"] = (keys, path = "sparring.yaml") =>
		repo.write({ [path]: workflow({ ...content, ...keys }) });
	rewrite({});
	repo.commit("First");
	const command: Stage["spar"] = (args, options) => spar(repo, args, options);
	return {
		repo,
		agents,
		spar: command,
		rewrite,
		run: async (...args) => outcomeOf(await command(["run", "--json", ...args])),
		resume: async (...args) => outcomeOf(await command(["resume", "--json", ...args])),
		json: async (...args) => {
			const { code, stdout, stderr } = await command([...args, "--json"]);
			if (code !== 0) throw new Error(`spar ${args.join(" ")} exited with ${code}: ${stderr}`);
			const parsed: unknown = JSON.parse(stdout);
			return parsed;
		},
		trace: (task = "one") =>
			traceFile.parse(JSON.parse(repo.read(`.sparring/traces/${task}.json`) ?? "")),
		kept: (name) => readFileSync(join(repo.home, name), "utf8"),
	};
}

/** The events of a type, their data only. */
export function dataOf(trace: Trace, type: string): Readonly<Record<string, unknown>>[] {
	return trace.events.filter((event) => event.type === type).map(({ data }) => data);
}

/** Stands in an expected value for a text that contains or matches this. */
export function textLike(part: string | RegExp): unknown {
	return typeof part === "string" ? expect.stringContaining(part) : expect.stringMatching(part);
}

/** Stands in an expected value for a list with at least these, each an object with at least these keys. */
export function listWith(...items: readonly Readonly<Record<string, unknown>>[]): unknown {
	return expect.arrayContaining(items.map((item): unknown => expect.objectContaining(item)));
}

/** Tasks of one turn each, with what they allow, in the form of a workflow file. */
export function oneTurnTasks(
	plays: Readonly<Record<string, { readonly allow?: readonly object[] }>>,
): Readonly<Record<string, object>> {
	return Object.fromEntries(
		Object.entries(plays).map(([name, { allow }]) => [
			name,
			{
				agent: "dev",
				description: "Do it.",
				acceptance_criteria: [CRITERION],
				max_turns: 1,
				overlays: pair(),
				requires_verification: false,
				...(allow === undefined ? {} : { allow }),
			},
		]),
	);
}
