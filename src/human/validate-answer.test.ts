import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { choicesFor } from "./choices.ts";
import type { Trigger } from "./human-item.ts";
import { type AnswerRequest, validateAnswer, validateRejection } from "./validate-answer.ts";

const sided = {
	...{ id: "h1", trigger: "escalation" as Trigger, choices: choicesFor("escalation") },
	context: {},
};
const yes = {
	...{ id: "h2", trigger: "environment" as Trigger, choices: choicesFor("environment") },
	context: {},
};

function fault(act: () => unknown): Fault {
	try {
		act();
	} catch (error) {
		if (error instanceof Fault) return error;
	}
	throw new Error("no fault was thrown");
}

test.each<[AnswerRequest, string, string | null]>([
	[{ take: "developer" }, "take_developer", null],
	[{ take: "reviewer" }, "take_reviewer", null],
	[{ directive: " keep it\nsmall " }, "directive", "keep it\nsmall"],
])("%j is an answer where both sides stand", (request, choice, directive) => {
	expect(validateAnswer(sided, request)).toEqual({ choice, directive, added: null });
});

test("nothing but resolve says yes", () => {
	expect(validateAnswer(yes, {})).toEqual({ choice: "continue", directive: null, added: null });
});

test("a yes to a spent budget may add to it", () => {
	const spent = { ...yes, trigger: "budget" as const, context: { budget: { usd: {} } } };
	expect(validateAnswer(spent, { addUsd: 2 })).toEqual({
		...{ choice: "continue", directive: null, added: { scope: "run", usd: 2, wallMs: 0 } },
	});
});

test.each<[string, typeof sided, AnswerRequest, string]>([
	["a bare yes where sides stand", sided, {}, "item h1 needs a decision between both sides"],
	[
		"a side where none stands",
		yes,
		{ take: "developer" },
		"item h2 offers no sides and takes no directive",
	],
	[
		"a directive where none is asked",
		yes,
		{ directive: "x" },
		"item h2 offers no sides and takes no directive",
	],
	[
		"two answers",
		sided,
		{ take: "developer", directive: "x" },
		"item h1 takes one answer, and --take and --directive are two",
	],
	[
		"a budget where none is spent",
		sided,
		{ take: "developer", addUsd: 1 },
		"item h1 asks about no budget, so nothing can be added to one",
	],
	["an unknown side", sided, { take: "me" }, "--take me names no side of item h1"],
	["an empty directive", sided, { directive: " " }, "the directive for item h1 is empty"],
])("%s is refused with a hint", (_name, item, request, message) => {
	const refused = fault(() => validateAnswer(item, request));
	expect(refused).toMatchObject({ code: "answer-invalid", message });
	expect(refused.hint).toMatch(/\S/);
});

test("a rejection needs a reason", () => {
	expect(validateRejection(yes, " too risky ")).toBe("too risky");
	for (const reason of [undefined, " \n"])
		expect(fault(() => validateRejection(yes, reason))).toMatchObject({
			code: "answer-invalid",
			message: "a rejection of item h2 needs a reason",
		});
});
