import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { AgentValues } from "../agents/agent.ts";
import type { RunOptions } from "../drive/run-options.ts";
import { alternatesLine } from "../git/git-directory.ts";
import { nothing } from "../git/parsing.ts";
import { userPlace } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { Fault } from "../kernel/fault.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { EventData } from "../trace/event.ts";
import type { CheckOptions, ReviewedWork } from "../verdict/check-bench.ts";
import type { WorkReview } from "../verdict/check-report.ts";
import type { RunReport } from "../view/report.ts";
import type { Workflow } from "../workflow/workflow.ts";

const PLAYER = "the-work";
const TASK = "check";
const BRANCH = "check";
const CRITERION = "The work does what its description says, and breaks nothing.";
// Its place is taken by the agent of the workflow.
const STANDS_IN = { adapter: "command", run: ["true"] };
const FAILED: ReadonlySet<string> = new Set(["role_error", "environment", "verification"]);

interface Reviewing {
	run(options: RunOptions): Promise<RunReport>;
	findings(task: string): Promise<readonly FindingReport[]>;
	close(): void;
}

/** Opens Sparring on the clone. */
export type OpenReview = (options: {
	readonly directory: string;
	readonly env: ReviewPlace["env"];
	readonly agents: AgentValues;
}) => Promise<Reviewing>;

interface ReviewPlace {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly values: AgentValues;
	readonly open: OpenReview;
}

type Seats = Pick<CheckOptions, "coach" | "verifier" | "task" | "criteria" | "signal" | "onNotice">;

/**
 * Has agents review work: a run of one turn in a clone that goes with the check, whose player brings the work as it is.
 *
 * @throws Fault `usage` for an agent that cannot be asked; what `run` throws
 */
export async function reviewWork(
	work: ReviewedWork,
	seats: Seats,
	{ env, values, open }: ReviewPlace,
): Promise<WorkReview> {
	const directory = await cloneOf(work, seats.signal);
	const checkouts = join(work.directory, "review-checkouts");
	const sparring = await open({
		directory,
		env: { ...env, SPAR_CHECKOUTS: checkouts },
		agents: values,
	});
	const answered: EventData["suspicions-answered"]["suspicions"] = [];
	try {
		const { signal, onNotice } = seats;
		onNotice?.(`review: ${[seats.coach, seats.verifier].filter(Boolean).join(", ")}`);
		const report = await sparring.run({
			source: { kind: "loaded", workflow: await workflowOf(seats, work) },
			signal,
			// The check before it has settled what its base lacks.
			anyway: true,
			onEvent: (event) => {
				if (event.type === "suspicions-answered") answered.push(...event.data.suspicions);
			},
		});
		const task = report.tasks[TASK];
		if (task?.flags.some((flag) => FAILED.has(flag)) === true)
			throw new Fault(
				`the work could not be reviewed: ${task.failure_reason ?? "no reason given"}`,
				{
					code: "usage",
					hint: "See whether the agent works: spar doctor. Without agents: spar check",
				},
			);
		const findings = await sparring.findings(TASK);
		const ok = answered.flatMap(({ id, ok: isOk, reason }) =>
			isOk === true ? [[id, reason ?? "accepted by the coach"] as const] : [],
		);
		return {
			findings: findings.filter(({ state }) => OPEN.has(state)),
			accepted: new Map(ok),
			approved: seats.coach === undefined ? null : (task?.challenger_approved ?? false),
			verification: seats.verifier === undefined ? null : (task?.verification ?? null),
			notes: seats.verifier === undefined ? [] : [`verification: ${task?.verification ?? "none"}`],
		};
	} finally {
		sparring.close();
	}
}

const OPEN: ReadonlySet<string> = new Set(["open", "reopened", "disputed", "upheld"]);

async function cloneOf(
	{ repository, base, directory }: ReviewedWork,
	signal: AbortSignal | undefined,
): Promise<string> {
	const clone = join(directory, "review", basename(repository.root));
	const { objectsDir: _own, ...users } = userPlace(repository, signal);
	const git = (cwd: string, args: readonly string[]): Promise<void> =>
		runGit({ ...users, cwd }, { args, mayLock: true, parse: nothing });
	const how = ["--quiet", "--shared", "--no-checkout"];
	await git(directory, ["clone", ...how, "--", repository.root, clone]);
	// Also of work that no ref names.
	const borrowed = alternatesLine(repository.objectsDir);
	await writeFile(join(clone, ".git/objects/info/alternates"), `${borrowed}\n`);
	await git(clone, ["checkout", "--quiet", "-B", BRANCH, base]);
	return clone;
}

async function workflowOf(
	seats: Seats,
	{ workflow, commit, message }: ReviewedWork,
): Promise<Workflow> {
	const { coach, verifier, task, criteria = [] } = seats;
	const named = [coach, verifier].filter((name) => name !== undefined);
	const text = JSON.stringify({
		version: 1,
		name: TASK,
		base: BRANCH,
		agents: {
			...Object.fromEntries(
				named.map((name) => [
					name,
					Object.hasOwn(workflow.agents, name) ? STANDS_IN : { adapter: name },
				]),
			),
			[PLAYER]: { adapter: "command", run: ["git", "read-tree", "-m", "-u", "HEAD", commit] },
		},
		...(verifier === undefined ? {} : { verifier }),
		human: { enabled: false },
		merge: { into: "none" },
		mutation: { when: "never" },
		tasks: {
			[TASK]: {
				agent: PLAYER,
				description: task ?? (message || "Judge the change as it is."),
				acceptance_criteria: criteria.length > 0 ? criteria : [CRITERION],
				max_turns: 1,
				requires_verification: verifier !== undefined,
				overlays:
					coach === undefined
						? {}
						: {
								paired_workflow: {
									enabled: true,
									driver_agent: PLAYER,
									challenger_agent: coach,
								},
							},
			},
		},
	});
	const place = { file: "check", directory: "/", repositoryRoot: "/" };
	const { loadWorkflow } = await import("../workflow/load.ts");
	const { requireWorkflow } = await import("../places/load-source.ts");
	const loaded = requireWorkflow(loadWorkflow({ content: text, ...place }), { kind: "file" });
	const own = named.flatMap((name) => {
		const agent = workflow.agents[name];
		return agent === undefined ? [] : [[name, agent] as const];
	});
	const { checks, setup, setupInputs, setupCache, sandbox, protected: guarded } = workflow;
	const agents = { ...loaded.agents, ...Object.fromEntries(own) };
	return {
		...loaded,
		agents,
		checks,
		setup,
		setupInputs,
		setupCache,
		protected: guarded,
		file: undefined,
		...(sandbox === undefined ? {} : { sandbox }),
	};
}
