import type { HumanItem, ItemRecord } from "./human-item.ts";
import type { BudgetFacts, ConflictFacts, Trigger, WorkInQuestion } from "./question.ts";

/** What a test says of a context: the parts that it is about. */
type SomeContext = {
	readonly [Key in keyof Omit<WorkInQuestion, Parts>]?: unknown;
} & {
	readonly [Key in Parts]?: WorkInQuestion[Key] extends readonly (infer One)[]
		? readonly { readonly [Name in keyof One]?: unknown }[]
		: { readonly [Name in keyof WorkInQuestion[Key]]?: unknown };
} & {
	readonly budget?: Partial<BudgetFacts> | null;
	readonly quota?: { readonly agent: string; readonly resets_at: string | null } | null;
	readonly conflicts?: readonly Partial<ConflictFacts>[];
	readonly critical?: readonly { readonly finding: string; readonly issue: string }[];
};

type Parts = "findings" | "evidence" | "developer" | "reviewer";

/** What a test says of an item. */
export type ItemPart = Partial<ItemRecord> & {
	readonly trigger?: Trigger;
	readonly context?: SomeContext;
};

const NOTHING: WorkInQuestion = {
	task: { id: "limiter", description: "", acceptance_criteria: [] },
	developer: { agent: "dev", notes: "", concerns: [], left_work: [], files: [] },
	reviewer: { agent: null, decision: null, effective: null, rationale: "", attempts: null },
	findings: [],
	suspicions: [],
	false_claims: [],
	evidence: [],
	gate: null,
	gate_report: null,
	confidence: null,
	pair: null,
	subtask: null,
	reasons: [],
	diff_path: null,
	checkout: null,
	branch: null,
	commit: null,
	turns: 0,
	bound: 5,
};

/** A conflict over a finding that nobody has said much of. */
const conflictFacts = (part: Partial<ConflictFacts> = {}): ConflictFacts => ({
	conflict_id: "c1",
	finding: "F1",
	attempt: 3,
	escalation_reason: null,
	developer: { reason: "", evidence: null },
	reviewer: { issue: "", rationale: "" },
	tie_breaker: null,
	...part,
});

const FINDING: WorkInQuestion["findings"][number] = {
	id: "F1",
	issue: "",
	severity: "major",
	state: "open",
	file: null,
	line: null,
	criterion: null,
	suggestion: null,
	dispute: null,
};

const EVIDENCE: WorkInQuestion["evidence"][number] = {
	check: "tests",
	kind: "acceptance",
	status: "pass",
	reason: null,
	counts: null,
	details: [],
	output_path: null,
};

/** An open item of task `limiter` at its limit, with nothing in its context unless told otherwise. */
export function anItem({ context = {}, ...part }: ItemPart = {}): HumanItem {
	const { budget = null, quota = null, conflicts = [], critical = [], ...work } = context;
	const { findings = [], evidence = [], developer = {}, reviewer = {} } = work;
	const of: Partial<Record<Trigger, object>> = {
		budget: { budget },
		quota: { quota },
		verification: { verification: null },
		conflict: { conflicts: conflicts.map(conflictFacts), critical },
	};
	const trigger = part.trigger ?? "loop_exhausted";
	return {
		id: "h1",
		runId: "r1",
		taskId: "limiter",
		reason: "Max turns (3) reached without approval",
		status: "PENDING",
		choices: ["take_developer", "take_reviewer", "directive"],
		createdAt: "2026-11-21T22:05:09.000Z",
		answer: null,
		consumed: false,
		...part,
		trigger,
		context: {
			...NOTHING,
			...work,
			findings: findings.map((finding) => ({ ...FINDING, ...finding })),
			evidence: evidence.map((piece) => ({ ...EVIDENCE, ...piece })),
			developer: { ...NOTHING.developer, ...developer },
			reviewer: { ...NOTHING.reviewer, ...reviewer },
			...of[trigger],
		},
	} as HumanItem; // The context is that of the trigger, as far as the test does not say otherwise.
}
