import { expect, test } from "vitest";
import { choicesFor, describeChoice } from "../human/choices.ts";
import { conflictsInQuestion } from "../human/conflicts-in-question.ts";
import { TRIGGER_WORDS } from "../human/headline.ts";
import type { Answer, AnswerChoice, HumanItem } from "../human/human-item.ts";
import { anItem } from "../human/item-builder.contract.ts";
import type { Trigger } from "../human/question.ts";
import type { Reason } from "../human/reason.ts";
import { type GivenAnswer, validateAnswer } from "../human/validate-answer.ts";
import { answer } from "../store/record-builders.contract.ts";
import { decideRoute, type RouteState } from "./edges.ts";
import { TASK_NODES } from "./graph/task-nodes.ts";
import { answered } from "./nodes/await-human.ts";
import { verify } from "./nodes/verify.ts";
import { scene, theFacts } from "./scene.contract.ts";

const failed = (role: "player" | "coach" | "verifier"): Reason => ({
	kind: "role_failed",
	role,
	agent: "eve",
	why: "no report",
});

/** Questions whose choices depend on what happened, beside those of each trigger alone. */
const SPECIAL: readonly (readonly [Trigger, Reason])[] = [
	["role_error", failed("player")],
	["role_error", failed("coach")],
	["role_error", failed("verifier")],
	[
		"environment",
		{
			kind: "checks_spoilt",
			of: "turn",
			checks: [{ check: "verification", status: "error", reason: "npm failed" }],
		},
	],
];

const isTrigger = (word: string): word is Trigger => Object.hasOwn(TRIGGER_WORDS, word);
const QUESTIONS = [
	...Object.keys(TRIGGER_WORDS)
		.filter(isTrigger)
		.map((trigger) => [trigger, null] as const),
	...SPECIAL,
];
const OFFERS = QUESTIONS.flatMap(([trigger, reason]) =>
	([...choicesFor(trigger, reason), "reject"] as const).map((choice) => ({
		trigger,
		reason,
		choice,
		of: reason?.kind === "role_failed" ? ` of the ${reason.role}` : "",
	})),
);

/** Words that a person types for a choice. */
const TYPED: Readonly<Record<AnswerChoice, GivenAnswer>> = {
	continue: {},
	unverified: { take: "unverified" },
	take_developer: { take: "player" },
	take_reviewer: { take: "coach" },
	directive: { directive: "keep it" },
};

const asked = (trigger: Trigger, reason: Reason | null): HumanItem =>
	anItem({
		id: "h1",
		trigger,
		choices: choicesFor(trigger, reason),
		...(trigger === "conflict" ? { context: { conflicts: [{ finding: "F1" }] } } : {}),
	});

/** The answer to an item, as it is stored: an item about conflicts keeps one for each finding, too. */
function withAnswer(
	item: HumanItem,
	said: Partial<Answer> & { readonly choice: Answer["choice"] },
) {
	const { choice } = said;
	const stored = { ...item, status: "RESOLVED" as const, answer: answer(said) };
	if (conflictsInQuestion(item) === undefined) return stored;
	if (choice === "continue" || choice === "unverified" || choice === "reject") return stored;
	return { ...stored, parts: { F1: { ...answer(said), choice } } };
}

test.each(OFFERS)(
	"$trigger$of, $choice: leads to an end, to another turn, or on from where the task stopped",
	async ({ trigger, reason, choice }) => {
		const item = asked(trigger, reason);
		if (choice !== "reject") expect(validateAnswer(item, TYPED[choice])).toMatchObject({ choice });
		expect(describeChoice(trigger, choice)).not.toContain("needs a side");
		const given = withAnswer(item, { choice, reason: "no", directive: "keep it" });
		const read = { item: () => Promise.resolve(given) };
		const { input } = scene({ state: { turn: 2, bound: 2, itemId: "h1" }, read });
		const { update } = await answered(input, "h1");
		const { next } = update;
		const to = TASK_NODES.find(({ name }) => name === "await_human")?.to[next];
		const leads: Readonly<Record<string, unknown>> = {
			reject: "finalize_failure",
			rework: "player_turn",
			take: "policy_gate",
		};
		if (next !== "resume") expect(to).toBe(leads[next]);
		// A turn is promised at the limit, too.
		if (next === "rework") expect(update.bound).toBeGreaterThan(2);
		if (next === "take") expect(update.taken).toBe(true);
		if (choice === "reject") expect(next).toBe("reject");
	},
);

/** A turn in which nothing is in the way. */
const CLEAR: RouteState = {
	coachDecision: "approve",
	paired: true,
	exit: null,
	taken: true,
	blocking: 0,
	shortEvidence: [],
	untested: null,
	gated: true,
	refused: false,
	critical: false,
	conflicts: null,
	overruled: null,
	suspicions: [],
	unchanged: null,
	recentTurns: [],
	inTheWay: [],
	turnCount: 3,
	maxTurns: 3,
};

/** Subject of a question with sides, as the route of its turn sees it. */
const IN_THE_WAY: Readonly<Partial<Record<Trigger, Partial<RouteState>>>> = {
	loop_exhausted: { coachDecision: "feedback", blocking: 2 },
	escalation: { critical: true, blocking: 1, coachDecision: "feedback" },
	suspicion: { suspicions: ["S1"] },
	nothing_changed: { unchanged: "again", coachDecision: "feedback" },
	player_blocked: { coachDecision: "pending" },
	role_error: { coachDecision: "pending" },
};

test.each(Object.entries(IN_THE_WAY))(
	"%s: the player's output, once taken, is approved where the gate passes",
	(_trigger, part) => {
		expect(decideRoute({ ...CLEAR, ...part }).route).toBe("approve");
	},
);

test("unverified: the verifier of the task is not asked again, in no later turn either", async () => {
	const given = withAnswer(asked("role_error", failed("verifier")), {
		choice: "unverified",
		notes: "too small",
	});
	const read = { items: () => Promise.resolve([given]) };
	const facts = theFacts({ task: { pair: { challenger: "eve" }, requiresVerification: "true" } });
	const { update, passedThrough } = await verify(scene({ facts, read }).input);
	expect(update).toEqual({ next: "go" });
	expect(passedThrough).toContain("a person went on without independent tests: too small");
});
