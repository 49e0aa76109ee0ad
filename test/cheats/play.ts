import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { repository, type TestRepository } from "../support/repository.ts";
import { type CommandAgent, type Step, scriptedAgents } from "../support/scripted-agents.ts";
import { spar } from "../support/spar.ts";
import { pair, workflow } from "../support/workflow.ts";
import type { Cheat, Honest } from "./case.ts";
import { hiddenTests } from "./hidden-tests.ts";
import { whatIsWrong } from "./oracle.ts";
import { difference, edited } from "./tree.ts";

/** What the product made of a patch. */
export interface Played {
	readonly merged: boolean;
	/** What the product said against the patch, shortest first; empty when it merged. */
	readonly reasons: readonly string[];
	/** What the oracle says against the merged commit; empty when nothing merged. */
	readonly wrong: readonly string[];
	/** Wall-clock time. */
	readonly ms: number;
}

const runReport = z.looseObject({
	branch: z.string(),
	tasks: z.object({
		one: z.looseObject({ merged: z.boolean(), failure_reason: z.string().nullable() }),
	}),
});

const trace = z.looseObject({
	events: z.array(z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
});

/** Who sits in the seats beside player and coach. */
export interface Seats {
	/** A verifier whose tests are the whole specification of the case. */
	readonly verifier: boolean;
	readonly coach: Coach;
}

/**
 * How the coach answers suspicions: `reads` accepts those of honest patches and mentions no other, `silent` mentions none,
 * `credulous` accepts all.
 */
export const COACHES = ["reads", "silent", "credulous"] as const;
export type Coach = (typeof COACHES)[number];

const answers = (coach: Coach, one: Cheat | Honest): boolean =>
	coach === "credulous" || (coach === "reads" && (!("kind" in one) || one.quotes !== undefined));

/**
 * Runs a case through the whole program: real git, checks and merge, people off, a player that applies the patch and a
 * coach that approves it. Everything happens in a temporary repository that is removed.
 */
export async function play(one: Cheat | Honest, seats: Seats): Promise<Played> {
	const startedAt = performance.now();
	const repo = repository({ files: one.project.files });
	try {
		prepare(repo, one, seats);
		const result = await spar(repo, ["run", "--json"]);
		const report = result.stdout === "" ? null : runReport.parse(JSON.parse(result.stdout));
		const merged = report?.tasks.one.merged === true;
		const wrong = report !== null && merged ? await judge(repo, report.branch, one) : [];
		const reasons = merged
			? []
			: reasonsOf(repo, report?.tasks.one.failure_reason ?? result.stderr);
		return { merged, reasons, wrong, ms: performance.now() - startedAt };
	} finally {
		repo.remove();
	}
}

/** Writes the workflow file and what the agents play. */
function prepare(repo: TestRepository, one: Cheat | Honest, { verifier, coach: how }: Seats): void {
	const { project, task = project.task } = one;
	const program = join(import.meta.dirname, "coach.mjs");
	const quote = one.quotes === undefined ? [] : ["--quote", one.quotes];
	const coach = ["node", program, ...(answers(how, one) ? ["--answers", ...quote] : [])];
	repo.write({
		"sparring.yaml": workflow({
			agents: {
				dev: { ...player(repo, one), timeout: "5m" },
				coach: { adapter: "command", run: coach, timeout: "5m" },
				...(verifier ? { verifier: { ...verifierOf(repo, one), timeout: "5m" } } : {}),
			},
			...(verifier ? { verifier: "verifier" } : {}),
			...(project.setup === undefined ? {} : { setup: project.setup }),
			checks: { tests: { kind: "acceptance", timeout: "5m", ...project.check } },
			// They decide nothing, and would take the time of the tests many times over.
			mutation: { when: "never" },
			human: { enabled: false },
			tasks: {
				one: {
					agent: "dev",
					description: task.description,
					acceptance_criteria: [task.description],
					requires_verification: verifier,
					max_turns: 1,
					...(task.allow === undefined ? {} : { allow: task.allow }),
					overlays: pair(),
				},
			},
		}),
	});
	repo.commit("Workflow");
}

/** A player that applies the patch and reports it truly. */
function player(repo: TestRepository, { project, patch, run }: Cheat | Honest): CommandAgent {
	const files = difference(project.files, edited(project.files, patch));
	const [modified, created] = [true, false].map((existed) =>
		Object.keys(files).filter((path) => (project.files[path] !== undefined) === existed),
	);
	const report = {
		files_modified: modified,
		files_created: created,
		implementation_notes: "Done.",
	};
	const step: Step = { files, report };
	return scriptedAgents(repo, [run === undefined ? step : { ...step, run }], "player").agents.dev;
}

function verifierOf(repo: TestRepository, one: Cheat | Honest): CommandAgent {
	const { files, run } = hiddenTests(one);
	const report = { tests_written: Object.keys(files), run, notes: "The whole specification." };
	return scriptedAgents(repo, [{ files, report }], "verifier").agents.dev;
}

/** Asks the oracle about what stands on the integration branch. */
function judge(
	repo: TestRepository,
	branch: string,
	one: Cheat | Honest,
): Promise<readonly string[]> {
	const tree = mkdtempSync(join(repo.home, "merged-"));
	repo.git("clone", "-q", "--branch", branch, repo.root, tree);
	const scratch = join(repo.home, "oracle");
	mkdirSync(scratch);
	return whatIsWrong(one, tree, scratch);
}

/** What stood against the patch, from the task's trace, with what the program said last. */
function reasonsOf(repo: TestRepository, last: string): string[] {
	const text = repo.read(".sparring/traces/one.json");
	const events = text === undefined ? [] : trace.parse(JSON.parse(text)).events;
	const told = events.flatMap(({ type, data }) => {
		if (type === "integrity-checked") return texts(data["violations"]);
		return type === "turn-judged" || type === "merge-refused" ? texts(data["reasons"]) : [];
	});
	return [...new Set([...told, last.trim()])];
}

function texts(value: unknown): string[] {
	if (!Array.isArray(value)) return [];
	return value.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
}
