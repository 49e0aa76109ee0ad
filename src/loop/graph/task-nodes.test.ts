import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { END } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { type NodeDefinition, node, stopThen, targetOf } from "../node.ts";
import { aLog, aState, theFacts } from "../scene.contract.ts";
import { initialState, type TaskState } from "../state.ts";
import { resumePoints, taskGraph } from "./graph.ts";
import { processFeedback, signOff, TASK_NODES } from "./task-nodes.ts";

const state = () => initialState({ runId: "r", taskId: "one", bound: 3 });

/** Goes through the real graph with outcomes in place of bodies; a node that is not named says `go`. */
async function walk(
	nodes: readonly NodeDefinition[],
	outcomes: Readonly<Record<string, Partial<TaskState>>>,
	human = true,
) {
	const walked: string[] = [];
	const act = ({ name }: NodeDefinition) => {
		return (): Promise<Partial<TaskState>> => {
			walked.push(name);
			return Promise.resolve(outcomes[name] ?? { next: "go" });
		};
	};
	await taskGraph({ nodes, act, human }).invoke(state());
	return walked;
}

const APPROVED = { policy_gate: { next: "approve" }, merge: { next: "merged" } };

const TURN = [
	"initialize",
	"player_turn",
	"validate_structure",
	"verify",
	"coach_turn",
	"resolve_conflict",
	"score_confidence",
	"policy_gate",
];

thorough("an approved task walks the table once and ends", async () => {
	const way = [...TURN, "sign_off", "merge", "finalize_success"];
	expect(await walk(TASK_NODES, APPROVED)).toEqual(way);
});

test("a stop asks a person, and where nobody may be asked it fails", async () => {
	const stopped = { player_turn: { next: "halt" }, await_human: { next: "reject" } };
	const asked = ["initialize", "player_turn", "finalize_escalation", "await_human"];
	expect(await walk(TASK_NODES, stopped)).toEqual([...asked, "finalize_failure"]);
	const failed = ["initialize", "player_turn", "finalize_failure"];
	expect(await walk(TASK_NODES, stopped, false)).toEqual(failed);
});

thorough("a person's yes goes on where the node that stopped said", async () => {
	const way = await walk(TASK_NODES, {
		...APPROVED,
		sign_off: { next: "halt", resumeAt: "merge" },
		await_human: { next: "resume" },
	});
	expect(way.slice(-3)).toEqual(["await_human", "merge", "finalize_success"]);
});

/** The worked example of ARCHITECTURE.md: a node between the checks and the coach. */
const LICENCES = node<"go" | "halt">({
	name: "check_licences",
	phase: "validating",
	announce: "before",
	body: () => Promise.resolve({ update: { next: "go" } }),
	to: { go: "coach_turn", halt: stopThen("check_licences") },
});

const withLicences = TASK_NODES.flatMap((each) =>
	each.name === "verify" ? [{ ...each, to: { go: LICENCES.name } }, LICENCES] : [each],
);

thorough(
	"one more entry is one more node: in the graph, in the drawing and among the points of resuming",
	async () => {
		const way = await walk(withLicences, {
			...APPROVED,
			check_licences: { next: "go" },
		});
		expect(way.slice(3, 6)).toEqual(["verify", "check_licences", "coach_turn"]);
		expect(resumePoints(withLicences)).toContain("check_licences");
		const act = () => () => Promise.resolve({});
		const drawn = await taskGraph({ nodes: withLicences, act, human: true }).getGraphAsync();
		const mermaid = drawn.drawMermaid({ withStyles: false });
		for (const edge of ["verify --> check_licences", "check_licences -.-> coach_turn"])
			expect(mermaid).toContain(edge);
		expect(mermaid).toContain("await_human -.-> check_licences");
		expect(mermaid).not.toContain("verify --> coach_turn");
	},
);

test("an outcome that a node does not declare, and a way to no node, are refused", () => {
	expect(() => targetOf(LICENCES, "approve")).toThrow(
		'node check_licences declares no way on for "approve"',
	);
	expect(() => targetOf(LICENCES, "toString")).toThrow("no way on");
	const lost = [{ ...LICENCES, to: { go: "nowhere", halt: END } }];
	const act = () => () => Promise.resolve({});
	expect(() => taskGraph({ nodes: lost, act, human: true })).toThrow("nowhere");
});

const FILES = readdirSync(join(import.meta.dirname, "../nodes")).filter((file) =>
	file.endsWith(".ts"),
);
const bodies = FILES.filter((file) => !file.endsWith(".test.ts"));

test("no node knows another, and each has a test beside it", () => {
	expect(bodies.length).toBeGreaterThan(10);
	for (const file of bodies) {
		const source = readFileSync(join(import.meta.dirname, "../nodes", file), "utf8");
		expect(source).not.toMatch(/from "\.\/|from "[./]*task-nodes/);
		expect(FILES).toContain(file.replace(/\.ts$/, ".test.ts"));
	}
});

test("names are unique, and what a person can send a task back to is what stops for one", () => {
	expect(new Set(TASK_NODES.map(({ name }) => name)).size).toBe(TASK_NODES.length);
	expect(resumePoints(TASK_NODES)).toEqual([
		"initialize",
		"player_turn",
		"validate_structure",
		"verify",
		"coach_turn",
		"resolve_conflict",
		"score_confidence",
		"policy_gate",
		"merge",
	]);
});

test("feedback shows the task as one that needs rework", async () => {
	expect(await processFeedback({ log: aLog() })).toMatchObject({
		update: { next: "go" },
		writes: [{ kind: "task", patch: { status: "needs_rework" } }],
	});
});

const asked = (task: NonNullable<Parameters<typeof theFacts>[0]>["task"]) =>
	signOff({ facts: theFacts({ task: task ?? {} }), state: aState() });

const policy = { requireCoverage: false, coverageThreshold: 1 };

test("a T2 gate wants a signature, also where people are off", async () => {
	const gatePolicy = { ...policy, riskTier: "T2" } as const;
	expect((await asked({ gate: true, gatePolicy, human: false })).update).toEqual({
		next: "halt",
		trigger: "sign_off",
		reason: { kind: "signature_needed", task: "limiter", turn: 2 },
	});
});

test("below T2, and where no gate applies, nobody signs", async () => {
	const gatePolicy = { ...policy, riskTier: "T1" } as const;
	expect((await asked({ gate: true, gatePolicy })).update).toEqual({ next: "go" });
	const off = { gate: false, gatePolicy: { ...policy, riskTier: "T2" as const } };
	expect((await asked(off)).passedThrough).toBe("no sign-off is asked for");
});

test("requires_human waits for a word; with people off the task goes on", async () => {
	expect((await asked({ requiresHuman: true })).update).toMatchObject({
		trigger: "requires_human",
		reason: { kind: "word_needed" },
	});
	const alone = await asked({ requiresHuman: true, human: false });
	expect(alone.passedThrough).toBe("requires_human, but HIL is off");
});
