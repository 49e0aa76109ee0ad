import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
	CRITERION,
	type Outcome,
	type Stage,
	sendsBack,
	stage,
	type Trace,
} from "../acceptance/stage.ts";
import { pair } from "../support/workflow.ts";

const LINES = join(import.meta.dirname, "..", "fixtures", "golden", "compositions.json");

/**
 * By combination what its run did, a line a turn: the nodes that had something to do; the coach's verdict; the score;
 * the gate's verdict; the route with its rule. The last line is the end.
 */
const GOLDEN = z
	.record(z.string(), z.array(z.string()))
	.parse(JSON.parse(readFileSync(LINES, "utf8")));

/** Every node that a turn enters before its route is decided. */
const TURN = [
	"player_turn",
	"validate_structure",
	"verify",
	"coach_turn",
	"resolve_conflict",
	"score_confidence",
	"policy_gate",
];

interface Combination {
	readonly name: string;
	readonly paired: boolean;
	readonly scored: boolean;
	readonly tier: "off" | "T0" | "T1" | "T2";
}

const COMBINATIONS: readonly Combination[] = [false, true].flatMap((paired) =>
	[false, true].flatMap((scored) =>
		(["off", "T0", "T1", "T2"] as const).map((tier) => ({
			paired,
			scored,
			tier,
			name: `${paired ? "pair" : "single"}-${scored ? "score" : "plain"}-${tier.toLowerCase()}`,
		})),
	),
);

function overlaysOf({ paired, scored, tier }: Combination): Readonly<Record<string, unknown>> {
	const metrics = [{ type: "llm_judge", weight: 1.0, evaluator_agent: "judge" }];
	return {
		...(paired ? pair() : {}),
		...(scored ? { confidence_loop: { enabled: true, threshold: 0.8, metrics } } : {}),
		policy_gate: tier === "off" ? { enabled: false } : { enabled: true, risk_tier: tier },
	};
}

const met = [{ criterion: CRITERION, met: true, evidence: "seen" }];
const FIXED = ["F1", "F2"].map((id) => ({ id, status: "fixed" }));

/**
 * One story for all. Turn 1: lint is red, the coach has a wish that blocks nothing, the score is high. Turn 2: lint is
 * mended, the coach finds what blocks, the score is low. Turn 3: all is well.
 */
const STORY = [
	{ role: "player", turn: 1, run: "echo 1 > $SPAR_TASK.txt; touch todo.txt" },
	{ role: "player", run: "echo $SPAR_TURN > $SPAR_TASK.txt; rm -f todo.txt" },
	{ role: "coach", turn: 1, report: sendsBack({ issue: "a name is vague", severity: "minor" }) },
	{ role: "coach", turn: 2, report: sendsBack({ issue: "a case is lost", severity: "major" }) },
	{
		role: "coach",
		report: {
			decision: "approve",
			rationale: "All is there.",
			requirements_status: met,
			findings_status: FIXED,
		},
	},
	{ role: "evaluator", turn: 2, report: { score: 0.5, rationale: "Seen." } },
	{ role: "evaluator", report: { score: 0.9, rationale: "Seen." } },
] as const;

/** All combinations as the independent tasks of one run, one after another. */
function staged(human: boolean): Stage {
	const made = stage({
		steps: STORY,
		human,
		workflow: {
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh" },
				lint: { kind: "lint", run: "test ! -e todo.txt", baseline: "strict" },
				audit: { kind: "security", run: "true" },
				boot: { kind: "readiness", run: "true" },
			},
			tasks: Object.fromEntries(
				COMBINATIONS.map((each) => [
					each.name,
					{
						agent: "dev",
						description: "Do the work.",
						acceptance_criteria: [CRITERION],
						overlays: overlaysOf(each),
					},
				]),
			),
		},
	});
	const { dev, coach } = made.agents.agents;
	made.rewrite({ agents: { dev, coach, judge: dev } });
	made.repo.commit("With a judge");
	return made;
}

const shown = (value: unknown): string =>
	typeof value === "string" || typeof value === "number" ? String(value) : "-";

/** What one turn did, on a line. */
function turnLine({ events }: Trace, turn: number): string {
	const own = events.filter((event) => event.turn === turn);
	const acted = own.filter(
		({ type, data }) => type === "node-left" && data["passed_through"] === null,
	);
	const last = (type: string): Readonly<Record<string, unknown>> | undefined =>
		own.findLast((event) => event.type === type)?.data;
	const routed = last("turn-routed");
	return [
		acted.map(({ node }) => node).join(" "),
		`coach ${shown(last("turn-judged")?.["effective"])}`,
		`score ${shown(last("confidence-scored")?.["score"])}`,
		`gate ${shown(last("gate-evaluated")?.["verdict"])}`,
		`${shown(routed?.["route"])}: ${shown(routed?.["reason"])}`,
	].join(" | ");
}

interface Played {
	readonly made: Stage;
	readonly first: Outcome;
	readonly last: Outcome;
}

/** Runs all, signs whatever waits for a signature, and goes on. */
async function played(human: boolean): Promise<Played> {
	const made = staged(human);
	// A gate that needs a signature cannot pass without people, which a run asks about before it begins.
	const first = await made.run("--anyway");
	const open = Object.values(first.report.tasks).flatMap(({ human_item: id }) => id ?? []);
	for (const id of open) expect((await made.spar(["hil", "resolve", id])).code).toBe(0);
	return { made, first, last: open.length === 0 ? first : await made.resume() };
}

function linesOf({ made, first, last }: Played, name: string): readonly string[] {
	const trace = made.trace(name);
	const turns = Array.from({ length: trace.turns }, (_, index) => turnLine(trace, index + 1));
	const { status, merged, flags } = last.report.tasks[name] ?? {};
	const asked = first.report.tasks[name]?.human_item == null ? "" : "signed, ";
	return [
		...turns,
		[`${asked}${status}`, merged ? "merged" : "not merged", ...(flags ?? [])].join(", "),
	];
}

const runs = new Map<boolean, Played>();

beforeAll(async () => {
	const [off, on] = await Promise.all([played(false), played(true)]);
	runs.set(false, off).set(true, on);
});

describe.each([false, true])("all overlays together, people asked: %s", (human) => {
	const run = (): Played => {
		const found = runs.get(human);
		if (found === undefined) throw new Error("nothing was played");
		return found;
	};

	test.each(COMBINATIONS)("$name", ({ name }) => {
		expect(linesOf(run(), name)).toEqual(GOLDEN[`${name}${human ? "-hil" : ""}`]);
	});

	test("every turn passes every node in the same order, whatever is on", () => {
		for (const { name } of COMBINATIONS) {
			const { events, turns } = run().made.trace(name);
			const entered = events.filter(({ type }) => type === "node-entered");
			for (let turn = 1; turn <= turns; turn += 1) {
				const own = entered.filter((event) => event.turn === turn).map(({ node }) => node);
				expect(own.slice(0, TURN.length), `${name}, turn ${turn}`).toEqual(TURN);
			}
		}
	});

	test("nothing was merged without its gate", () => {
		for (const { name, tier } of COMBINATIONS) {
			const { merged, gate } = run().last.report.tasks[name] ?? {};
			if (merged && tier !== "off") expect(gate, name).toMatchObject({ verdict: "PASS" });
			if (tier === "off") expect(gate, name).toBeNull();
		}
	});
});
