import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { choicesFor } from "./choices.ts";
import type { FindingAnswer, HumanItem } from "./human-item.ts";
import { type GivenAnswer, validateAnswer, validateRejection } from "./validate-answer.ts";

type Asking = Parameters<typeof validateAnswer>[0];

const sided: Asking = { id: "h1", trigger: "escalation", choices: choicesFor("escalation") };
const yes: Asking = { id: "h2", trigger: "environment", choices: choicesFor("environment") };

function fault(act: () => unknown): Fault {
	try {
		act();
	} catch (error) {
		if (error instanceof Fault) return error;
	}
	throw new Error("no fault was thrown");
}

test.each<[GivenAnswer, string, string | null]>([
	[{ take: "developer" }, "take_developer", null],
	[{ take: "reviewer" }, "take_reviewer", null],
	[{ take: "take_developer" }, "take_developer", null],
	[{ take: "take_reviewer" }, "take_reviewer", null],
	[{ directive: " keep it\nsmall " }, "directive", "keep it\nsmall"],
])("%j is an answer where both sides stand", (request, choice, directive) => {
	expect(validateAnswer(sided, request)).toEqual({
		about: "item",
		choice,
		directive,
		added: null,
	});
});

const SEATS = { developer: { agent: "claude" }, reviewer: { agent: "gemini" }, pair: null };
const SWITCHED = { ...SEATS, pair: { driver_agent: "gemini", challenger_agent: "claude" } };

test.each<[string, Asking["context"], string]>([
	["player", undefined, "take_developer"],
	["Coach", undefined, "take_reviewer"],
	["claude", SEATS, "take_developer"],
	["gemini", SEATS, "take_reviewer"],
	["driver", SEATS, "take_developer"],
	["challenger", SEATS, "take_reviewer"],
	["driver", SWITCHED, "take_reviewer"],
	["challenger", SWITCHED, "take_developer"],
	["coach", { ...SEATS, developer: { agent: "coach" } }, "take_reviewer"],
])("--take %s is a side", (take, context, choice) => {
	expect(validateAnswer({ ...sided, context }, { take })).toMatchObject({ choice });
});

test("where a judge can be gone on without, an answer that is not offered is told the one that is", () => {
	const without: Asking = { ...yes, choices: ["continue", "unverified"] };
	expect(validateAnswer(without, { take: "unverified" })).toMatchObject({ choice: "unverified" });
	const refused = fault(() => validateAnswer(without, { directive: "write less" }));
	expect(refused.message).toBe("item h2 does not offer this answer");
	expect(refused.hint).toContain("with --take unverified to go on without");
	const offersNone = fault(() => validateAnswer(yes, { take: "player" }));
	expect(offersNone.message).toBe("item h2 offers no sides and takes no directive");
});

test("nothing but resolve says yes", () => {
	expect(validateAnswer(yes, {})).toEqual({
		about: "item",
		choice: "continue",
		directive: null,
		added: null,
	});
});

test("a yes to a spent budget may add to it", () => {
	const budget = { scope: "run", usd: { limit: 1, spent: 1 }, wall: null } as const;
	const { id, choices } = yes;
	const spent: Asking = { id, choices, trigger: "budget", context: { budget } };
	expect(validateAnswer(spent, { addUsd: 2 })).toEqual({
		about: "item",
		choice: "continue",
		directive: null,
		added: { scope: "run", usd: 2, wallMs: 0 },
	});
});

test.each<[string, Asking, GivenAnswer, string]>([
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

/** Item h3 about conflicts over these findings, some of which have an answer. */
function conflicts(findings: readonly string[], parts: HumanItem["parts"] = null) {
	return {
		id: "h3",
		trigger: "conflict" as const,
		choices: choicesFor("conflict"),
		parts,
		context: { conflicts: findings.map((finding) => ({ finding })) },
	};
}

const part = (answeredAt: string): FindingAnswer => ({
	choice: "take_developer",
	directive: null,
	notes: null,
	answeredAt,
});
const two = conflicts(["F1", "F2"]);
const half = conflicts(["F1", "F2"], { F1: part("2026-11-22T05:00:00.000Z") });
const done = conflicts(["F1", "F2", "F3"], {
	F1: part("2026-11-22T06:00:00.000Z"),
	F2: part("2026-11-22T05:00:00.000Z"),
	F3: part("2026-11-22T06:00:00.000Z"),
});

test.each<[string, ReturnType<typeof conflicts>, GivenAnswer, readonly string[]]>([
	["the only one, unnamed", conflicts(["F7"]), { take: "developer" }, ["F7"]],
	["the only one that waits", half, { take: "developer" }, ["F2"]],
	["the one that is named", two, { take: "developer", finding: ["F2"] }, ["F2"]],
	[
		"each once, as it is written",
		two,
		{ take: "developer", finding: ["f2", " F1 ", "F2"] },
		["F2", "F1"],
	],
	["one that has an answer", half, { take: "developer", finding: ["F1"] }, ["F1"]],
	["those answered last, when none waits", done, { take: "developer" }, ["F1", "F3"]],
	["none named is none", half, { take: "developer", finding: [] }, ["F2"]],
])("an answer to a conflict is for %s", (_name, item, request, findings) => {
	expect(validateAnswer(item, request)).toEqual({
		about: "findings",
		findings,
		choice: "take_developer",
		directive: null,
	});
});

test("a conflict takes a directive", () => {
	expect(validateAnswer(two, { directive: " count ", finding: ["F1"] })).toEqual({
		about: "findings",
		findings: ["F1"],
		choice: "directive",
		directive: "count",
	});
});

test.each<[GivenAnswer, string]>([
	[
		{ take: "reviewer" },
		"Run `spar answer h3 --finding F1 --take coach`, `spar answer h3 --finding F2 --take coach`; one answer for all of them: --finding F1 F2.",
	],
	[
		{ directive: "x" },
		"Run `spar answer h3 --finding F1 --directive TEXT`, `spar answer h3 --finding F2 --directive TEXT`; one answer for all of them: --finding F1 F2.",
	],
	[
		{},
		"Run `spar answer h3 --finding F1`, `spar answer h3 --finding F2`, each with --take player, --take coach, or --directive TEXT; one answer for all of them: --finding F1 F2.",
	],
])("where several conflicts wait, %j has to say which", (request, hint) => {
	expect(fault(() => validateAnswer(two, request))).toMatchObject({
		code: "answer-invalid",
		message: "item h3 asks about F1, F2, and the answer does not say which it is for",
		hint,
	});
});

test.each<[string, Parameters<typeof validateAnswer>[0], GivenAnswer, string]>([
	[
		"an unknown finding",
		two,
		{ take: "developer", finding: ["F1", "F9", ""] },
		'item h3 does not ask about F9, ""',
	],
	[
		"two ids in one word",
		two,
		{ take: "developer", finding: ["F1,F2"] },
		"item h3 does not ask about F1,F2",
	],
	[
		"a finding without a side",
		two,
		{ finding: ["F1"] },
		"item h3 needs a decision between both sides",
	],
	["a bare yes", conflicts(["F1"]), {}, "item h3 needs a decision between both sides"],
	[
		"a bare yes that the item offers against its nature",
		{ ...conflicts(["F1"]), choices: ["continue"] },
		{},
		"item h3 needs a decision between both sides",
	],
	[
		"a finding where no conflict is",
		sided,
		{ take: "developer", finding: ["F1"] },
		"item h1 asks about no conflict, so no finding can be named",
	],
	[
		"a finding where a yes is asked",
		yes,
		{ finding: ["F1"] },
		"item h2 asks about no conflict, so no finding can be named",
	],
	[
		"a budget of a conflict",
		two,
		{ take: "developer", addUsd: 1 },
		"item h3 asks about no budget, so nothing can be added to one",
	],
])("%s is refused, and nothing is answered", (_name, item, request, message) => {
	const refused = fault(() => validateAnswer(item, request));
	expect(refused).toMatchObject({ code: "answer-invalid", message });
	expect(refused.hint).toMatch(/\S/);
});

test("an item about conflicts that offers no sides takes none", () => {
	const closed = { ...conflicts(["F1"]), choices: [] };
	expect(() => validateAnswer(closed, { take: "developer" })).toThrow(/offers no sides/);
});

test("an unknown finding is told which there are", () => {
	const refused = fault(() => validateAnswer(two, { take: "developer", finding: ["F9"] }));
	expect(refused.hint).toBe("It asks about: F1, F2.");
});

test("an item about conflicts that names none is answered as a whole", () => {
	expect(validateAnswer(conflicts([]), { take: "reviewer" })).toMatchObject({
		about: "item",
		choice: "take_reviewer",
	});
});

test("a rejection needs a reason", () => {
	expect(validateRejection(yes, " too risky ")).toBe("too risky");
	for (const reason of [undefined, " \n"])
		expect(fault(() => validateRejection(yes, reason))).toMatchObject({
			code: "answer-invalid",
			message: "a rejection of item h2 needs a reason",
		});
});
