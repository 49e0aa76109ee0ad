import { expect, test } from "vitest";
import { judgesOf } from "./tie-breaker-of.ts";
import type { AgentDefinition, TaskDefinition } from "./workflow.ts";

const agent = (name: string, fallback?: string): AgentDefinition => ({
	name,
	adapter: "command",
	run: [name],
	env: [],
	timeoutMs: 1,
	...(fallback === undefined ? {} : { fallback }),
});
const AGENTS = Object.fromEntries(
	[
		agent("dev"),
		agent("coach", "spare"),
		agent("spare", "coach"),
		agent("judge"),
		agent("arbiter"),
		agent("idle"),
	].map((each) => [each.name, each]),
);

function task(changes: Partial<TaskDefinition>): TaskDefinition {
	return {
		id: "one",
		description: "",
		acceptanceCriteria: [],
		contextFiles: [],
		dependsOn: [],
		player: "dev",
		requiresVerification: "auto",
		requiresHuman: false,
		maxTurns: 1,
		bound: 1,
		gate: true,
		gateDeclined: false,
		human: true,
		...changes,
	};
}

const judges = (changes: Partial<TaskDefinition>, tieBreaker?: string): string[] => {
	const named = tieBreaker === undefined ? {} : { tieBreaker };
	return [...judgesOf({ ...WORKFLOW, ...named, tasks: [task(changes)] })].sort();
};
const WORKFLOW = {
	version: 1,
	name: "test",
	setup: [],
	setupInputs: [],
	setupCache: true,
	maxParallel: 2,
	agents: AGENTS,
	checks: [],
	protected: [],
	human: { enabled: true },
	merge: { into: "integration", style: "squash", message: "{title}" },
	keepRuns: 50,
	verification: { attempts: 3, runTimeoutMs: 600_000, paths: [] },
} as const;

test("a single agent judges nothing, and no tie-breaker is asked about it", () => {
	expect(judges({}, "arbiter")).toEqual([]);
});

test("a pair has its challenger, whatever stands in for it, and the tie-breaker", () => {
	const pair = { challenger: "coach" };
	expect(judges({ pair }, "arbiter")).toEqual(["arbiter", "coach", "spare"]);
	// Where the default one cannot be asked, any agent without a seat may be.
	const others = ["arbiter", "coach", "google/gemini-flash-latest", "idle", "judge", "spare"];
	expect(judges({ pair })).toEqual(others);
});

test("where seats swap the driver judges too, and a formal reviewer and an evaluator always do", () => {
	const pair = { challenger: "coach", roleSwitch: "subtask" } as const;
	expect(judges({ pair }, "arbiter")).toContain("dev");
	expect(judges({ formalReview: true })).toEqual(["dev"]);
	const metric = { type: "llm_judge", weight: 1, evaluator_agent: "judge" } as const;
	const coverage = { type: "test_coverage", weight: 1 } as const;
	const confidence = { mode: "raw", threshold: 1, metrics: [metric, coverage] } as const;
	expect(judges({ confidence })).toEqual(["judge"]);
});
