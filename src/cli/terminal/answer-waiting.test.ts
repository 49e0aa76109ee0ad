import { expect, test } from "vitest";
import { choicesFor } from "../../human/choices.ts";
import { mergeParts } from "../../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import { conflictItem, humanItem, runReport, taskReport, typing } from "../fakes.contract.ts";
import { answerWaiting } from "./answer-waiting.ts";

const sided = humanItem();
const signature = humanItem({ trigger: "sign_off", choices: choicesFor("sign_off") });

const RESOLVED = {
	choice: "continue",
	directive: null,
	notes: null,
	reason: null,
	answeredAt: "",
} as const;

interface Stored {
	readonly items: Record<string, HumanItem>;
	readonly calls: unknown[];
}

/** What an answer at the terminal says besides itself. */
const PROOF = { by: "terminal", version: "v1" };

/** Keeps items and what was done to them; `refuse` makes each answer fail. */
function storeOf(items: readonly HumanItem[], refuse?: (item: HumanItem) => never) {
	const stored: Stored = {
		items: Object.fromEntries(items.map((item) => [item.id, item])),
		calls: [],
	};
	const found = (id: string): HumanItem => stored.items[id] ?? humanItem();
	const answer = (id: string, said: unknown): Promise<HumanItem> => {
		stored.calls.push([id, said]);
		refuse?.(found(id));
		return Promise.resolve(found(id));
	};
	return {
		...stored,
		item: (id: string) => Promise.resolve(found(id)),
		itemVersion: () => Promise.resolve("v1"),
		resolveItem: answer,
		rejectItem: answer,
	};
}

/** Keeps one item about conflicts, and answers by finding as a store does. */
function conflictStore(
	first: HumanItem,
	refuse?: (item: HumanItem, request: AnswerRequest) => HumanItem,
) {
	const state = { item: first, calls: [] as unknown[] };
	const answered = (item: HumanItem, { finding = [] }: AnswerRequest): HumanItem => {
		const part: FindingAnswer = {
			choice: "take_developer",
			directive: null,
			notes: null,
			answeredAt: "",
		};
		const parts = { ...item.parts, ...Object.fromEntries(finding.map((id) => [id, part])) };
		const answer = mergeParts({ ...item, parts });
		return { ...item, parts, ...(answer !== null ? { status: "RESOLVED" as const, answer } : {}) };
	};
	return {
		state,
		item: () => Promise.resolve(state.item),
		itemVersion: () => Promise.resolve("v1"),
		resolveItem: (_id: string, request: AnswerRequest) => {
			state.calls.push(request);
			if (refuse !== undefined) {
				state.item = refuse(state.item, request);
				throw new Fault("F1 of item H1 already has another answer", { code: "answer-invalid" });
			}
			state.item = answered(state.item, request);
			return Promise.resolve(state.item);
		},
		rejectItem: (_id: string, reason: string) => {
			state.calls.push(reason);
			state.item = { ...state.item, status: "REJECTED", answer: { ...RESOLVED, choice: "reject" } };
			return Promise.resolve(state.item);
		},
		answered,
	};
}

const oneWaiting = { tasks: { a: taskReport({ human_item: "H1" }) } };

test("conflicts of one question are asked one after another, and each answer is stored", async () => {
	const store = conflictStore(conflictItem(["F1", "F2", "F3"]));
	const person = typing("developer", "", "3", "count", "", "", "2", "sure");
	expect(await answerWaiting(store, oneWaiting, person)).toMatchObject({ answered: 1, left: [] });
	expect(store.state.calls).toEqual([
		{ take: "developer", finding: ["F1"], ...PROOF },
		{ directive: "count", finding: ["F2"], ...PROOF },
		{ take: "reviewer", finding: ["F3"], notes: "sure", ...PROOF },
	]);
	const shown = person.shown();
	expect(shown.match(/H1 {2}task limiter: conflict/g)).toHaveLength(1);
	expect(shown).toContain("Answer now on F1 (2 more after it)");
	expect(shown).toMatch(/Conflict over F2[\s\S]*Answer now on F2 \(1 more after it\)/);
	expect(shown).toContain("Answer now on F3\n");
	expect(shown).toContain("player: F1 is overruled, and where nothing else blocks");
});

test("later leaves the other conflicts open, and what was answered is kept", async () => {
	const store = conflictStore(conflictItem(["F1", "F2"]));
	expect(await answerWaiting(store, oneWaiting, typing("1", "", "later"))).toEqual({
		answered: 0,
		left: ["H1"],
		stopped: false,
	});
	expect(Object.keys(store.state.item.parts ?? {})).toEqual(["F1"]);
	const rest = typing("1", "");
	expect(await answerWaiting(store, oneWaiting, rest)).toMatchObject({ answered: 1, left: [] });
	expect(store.state.calls.at(-1)).toEqual({
		take: "developer",
		finding: ["F2"],
		...PROOF,
	});
	expect(rest.shown()).toContain("F2, coach: refuses never");
});

test("a rejection in the middle of conflicts ends the question", async () => {
	const store = conflictStore(conflictItem(["F1", "F2"]));
	const person = typing("1", "", "reject", "not wanted", "");
	expect(await answerWaiting(store, oneWaiting, person)).toMatchObject({ answered: 1, left: [] });
	expect(store.state.calls).toEqual([
		{ take: "developer", finding: ["F1"], ...PROOF },
		"not wanted",
	]);
});

test("a conflict that somebody else answered first is not asked again, and a refusal asks no circle", async () => {
	const item = conflictItem(["F1", "F2"]);
	const faster = conflictStore(item, (at, request) => faster.answered(at, request));
	const person = typing("1", "", "1", "");
	expect(await answerWaiting(faster, oneWaiting, person)).toMatchObject({ answered: 1, left: [] });
	expect(person.shown()).toContain("F1 of item H1 already has another answer");
	expect(faster.state.calls).toHaveLength(2);
	const stubborn = conflictStore(item, (at) => at);
	const again = await answerWaiting(stubborn, oneWaiting, typing("1", "", "1", "", "1", ""));
	expect(again).toMatchObject({ answered: 0, left: ["H1"] });
	expect(stubborn.state.calls).toHaveLength(1);
});

const twoWaiting = {
	tasks: {
		a: taskReport({ human_item: "H1" }),
		b: taskReport({ human_item: null }),
		c: taskReport({ human_item: "H2" }),
	},
};

test("every question of a run is asked in turn, and each answer is stored", async () => {
	const store = storeOf([sided, { ...signature, id: "H2" }]);
	const person = typing("reject", "no", "", "yes", "");
	expect(await answerWaiting(store, twoWaiting, person)).toEqual({
		answered: 2,
		left: [],
		stopped: false,
	});
	expect(store.calls).toEqual([
		["H1", "no"],
		["H2", { take: "continue", ...PROOF }],
	]);
});

test("a question that is left or was answered elsewhere is not stored", async () => {
	const store = storeOf([sided, { ...signature, id: "H2", answer: RESOLVED }]);
	expect(await answerWaiting(store, twoWaiting, typing("later"))).toEqual({
		answered: 1,
		left: ["H1"],
		stopped: false,
	});
	expect(store.calls).toEqual([]);
	expect(await answerWaiting(store, runReport(), typing())).toEqual({
		answered: 0,
		left: [],
		stopped: false,
	});
});

test("Ctrl-C leaves what follows without asking, and later is said once", async () => {
	const store = storeOf([sided, { ...signature, id: "H2" }]);
	const leaving = typing();
	expect(await answerWaiting(store, twoWaiting, leaving)).toEqual({
		answered: 0,
		left: ["H1", "H2"],
		stopped: true,
	});
	expect(leaving.shown()).toContain("H1  task");
	expect(leaving.shown()).not.toContain("H2  task");
	const again = typing("yes", "");
	expect(await answerWaiting(store, twoWaiting, again, ["H1"])).toEqual({
		answered: 1,
		left: ["H1"],
		stopped: false,
	});
	expect(again.shown()).not.toContain("H1  task");
});

test("who is slower than another person is told so", async () => {
	const slow = storeOf([sided], (item) => {
		slow.items[item.id] = { ...item, answer: RESOLVED };
		throw new Fault("item H1 is RESOLVED already", { code: "answer-invalid" });
	});
	const one = { tasks: { a: taskReport({ human_item: "H1" }) } };
	const person = typing("1", "");
	expect(await answerWaiting(slow, one, person)).toMatchObject({ answered: 1, left: [] });
	expect(person.shown()).toContain("item H1 is RESOLVED already");
	const refused = storeOf([sided], () => {
		throw new Fault("no", { code: "answer-invalid" });
	});
	expect(await answerWaiting(refused, one, typing("1", ""))).toMatchObject({
		answered: 0,
		left: ["H1"],
	});
	const broken = storeOf([sided], () => {
		throw new Fault("full", { code: "disk-full" });
	});
	await expect(answerWaiting(broken, one, typing("1", ""))).rejects.toThrow("full");
});

/** A person who sits at the prompt and types nothing. */
const silent = {
	readLine: () => new Promise<string | null>(() => undefined),
	readNext: () => new Promise<string | null>(() => undefined),
};

test.each([
	["the question that is shown", "a"],
	["another one", "b"],
])(
	"an answer given elsewhere to %s ends the prompt, and what stays is asked again",
	async (_, id) => {
		const store = storeOf([humanItem({ id: "a" }), humanItem({ id: "b" })]);
		const report = {
			tasks: {
				one: taskReport({ status: "paused_for_human", human_item: "a" }),
				two: taskReport({ status: "paused_for_human", human_item: "b" }),
			},
		};
		const person = typing();
		let looks = 0;
		const pause = (): Promise<void> => {
			looks += 1;
			if (looks === 3) store.items[id] = humanItem({ id, answer: RESOLVED });
			return Promise.resolve();
		};
		const asked = await answerWaiting(store, report, { ...person, reader: silent }, [], pause);
		expect(asked).toMatchObject({ left: [], stopped: false });
		expect(asked.answered).toBeGreaterThan(0);
		expect(store.calls).toEqual([]);
		expect(person.shown()).toContain("answered elsewhere");
	},
);
