import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { choicesFor } from "../../human/choices.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import { conflictItem, fakeShell, humanItem, typing } from "../fakes.contract.ts";
import { askPerson, type PersonAnswer } from "./ask-person.ts";
import { wrapWords } from "./cut-words.ts";
import { canAskPerson } from "./supervise-run.ts";
import { openTerminalReader } from "./terminal-reader.ts";

const sided = humanItem();
/** The seats of its pair have switched. */
const seated = humanItem({
	context: {
		developer: { agent: "claude" },
		reviewer: { agent: "gemini" },
		pair: { driver_agent: "gemini", challenger_agent: "claude", history: [] },
	},
});
const shown = humanItem({ context: { diff_path: "d.diff" } });
const signature = humanItem({ trigger: "sign_off", choices: choicesFor("sign_off") });
const spent = humanItem({
	trigger: "budget",
	choices: choicesFor("budget"),
	context: { budget: { scope: "run", usd: { limit: 1, spent: 1 }, wall: null } },
});
const late = humanItem({
	trigger: "budget",
	choices: choicesFor("budget"),
	context: { budget: { scope: "task", usd: null, wall: { limit_ms: 1, spent_ms: 1 } } },
});
const resolve = (request: AnswerRequest): PersonAnswer => ({ kind: "resolve", request });
const LATER: PersonAnswer = { kind: "later" };

test.each<[string, HumanItem, readonly string[], PersonAnswer]>([
	["the developer's side by number", sided, ["1", ""], resolve({ take: "developer" })],
	[
		"the reviewer's side by word",
		sided,
		["Reviewer ", " ok "],
		resolve({ take: "reviewer", notes: "ok" }),
	],
	["a word cut short", sided, ["dev", ""], resolve({ take: "developer" })],
	["the player's side by word", sided, ["player", ""], resolve({ take: "developer" })],
	["the coach's side by word", sided, ["Coach", ""], resolve({ take: "reviewer" })],
	["a side by its agent", seated, ["gemini", ""], resolve({ take: "reviewer" })],
	["a side by its place in a pair", seated, ["driver", ""], resolve({ take: "reviewer" })],
	[
		"a directive of two lines",
		sided,
		["3", "keep it", "small", "", ""],
		resolve({ directive: "keep it\nsmall" }),
	],
	["a signature", signature, ["yes", "seen"], resolve({ take: "continue", notes: "seen" })],
	["a rejection", sided, ["reject", "not wanted", ""], { kind: "reject", reason: "not wanted" }],
	["money", spent, ["dollars", "2.50", ""], resolve({ addUsd: 2.5 })],
	["time", late, ["time", " 30m ", ""], resolve({ addWall: "30m" })],
	[
		"the side of a conflict",
		conflictItem(["F3"]),
		["2", ""],
		resolve({ take: "reviewer", finding: ["F3"] }),
	],
	["later", sided, ["later"], LATER],
])("%s is an answer", async (_name, item, lines, answer) => {
	expect(await askPerson(item, typing(...lines))).toEqual(answer);
});

test("the person sees the question, each choice and what it will do", async () => {
	const person = typing("later");
	await askPerson(humanItem({ reason: "why \u001b[2J" }), person);
	const shown = person.shown();
	expect(shown).toContain("H1  task limiter: turn limit\n  why \\x1b[2J");
	expect(shown).toContain("1  player: The work goes on to the gate as it stands");
	expect(shown).toContain("4  reject: The task fails with the reason that you give");
	expect(shown).toContain("5  later: The question stays open");
	expect(shown).toContain("Your answer (1 to 5): ");
});

test("the diff is shown as often as it is asked for, and then the choices again", async () => {
	const person = typing("d", "diff", "d", "d", "D", "d", "1", "");
	expect(await askPerson(shown, person)).toEqual(resolve({ take: "developer" }));
	expect(person.shown().match(/the diff of limiter/g)).toHaveLength(6);
	expect(person.shown()).toContain("d: Shows what the task changed.");
	const without = typing("d", "later");
	expect(await askPerson(sided, without)).toEqual(LATER);
	expect(without.shown()).not.toMatch(/the diff of|d: Shows/);
});

test("all that is known is shown when it is asked for, and then the choices again", async () => {
	const person = typing("m", "more", "later");
	expect(await askPerson(humanItem({ reason: "why" }), person)).toEqual(LATER);
	expect(person.shown().match(/Why you are asked\n {2}why/g)).toHaveLength(2);
	expect(person.shown().match(/Answer now/g)).toHaveLength(3);
});

test("a question with many findings, its sides and its answers take at most 24 rows of 80 columns", async () => {
	const person = typing("later");
	const findings = Array.from({ length: 30 }, (_, nth) => ({
		id: `F${nth}`,
		issue: "after a pause the bucket holds more than the burst, and nobody would ever notice it",
	}));
	const reviewer = {
		rationale: "The burst works and is tested; nothing caps the bucket. ".repeat(9),
	};
	const developer = {
		notes: "The limiter is a token bucket; each call takes one token. ".repeat(9),
	};
	await askPerson(
		humanItem({ context: { ...shown.context, findings, reviewer, developer } }),
		person,
	);
	const rows = wrapWords(person.shown(), 80).split("\n");
	expect(rows.length).toBeLessThanOrEqual(24);
	expect(rows.join("\n")).toMatch(
		/Max turns[\s\S]*coach.*: The burst works[\s\S]*player.*: The limiter/,
	);
});

test("there is one menu, and what the question is about stands right above it", async () => {
	const person = typing("later");
	const findings = [{ id: "F1", issue: "never refilled" }];
	await askPerson(humanItem({ context: { findings } }), person);
	expect(person.shown()).not.toContain("spar answer");
	expect(person.shown()).toContain(
		"limit\n  Max turns (3) reached without approval\n  F1 major open: never refilled\n\nAnswer now",
	);
});

test("a budget is enlarged for its owner, and only where it is limited", async () => {
	const [run, task] = [typing("later"), typing("later")];
	await askPerson(spent, run);
	await askPerson(late, task);
	expect(run.shown()).toContain("dollars: Money is added to the budget of the run");
	expect(run.shown()).not.toContain("time: Time");
	expect(task.shown()).toContain("time: Time is added to the budget of task limiter");
});

test.each(["", "7", "0", "-1", "1.5", "yes", "d", "re", "NaN"])(
	"%j is no answer, and is asked again",
	async (line) => {
		const person = typing(line, "later");
		expect(await askPerson(sided, person)).toEqual(LATER);
		expect(person.shown()).toContain("Give one of the numbers, or its word.");
	},
);

test("after five answers that cannot be used the question is left", async () => {
	const person = typing("x", "x", "x", "x", "x", "1", "");
	expect(await askPerson(sided, person)).toEqual(LATER);
	expect(person.shown()).toContain("No answer; the question stays open.");
});

test.each<[string, HumanItem, readonly string[]]>([
	["before an answer", sided, []],
	["before the remarks", sided, ["1"]],
	["in a directive", sided, ["3", "keep"]],
	["in a reason", sided, ["reject", "because"]],
	["before the money", spent, ["dollars"]],
	["before the time", late, ["time"]],
])("input that ends %s answers nothing", async (_name, item, lines) => {
	expect(await askPerson(item, typing(...lines))).toEqual(LATER);
});

test.each<[string, HumanItem, readonly string[], RegExp]>([
	["money that is none", spent, ["dollars", "1e9", "later"], /must be above 0/],
	["time that is none", late, ["time", "soon", "later"], /is no duration/],
	["an empty directive", sided, ["3", " ", "later"], /What is the player to do/],
	["an empty reason", sided, ["4", "", "later"], /Why\?/],
])("%s leads back to the choices", async (_name, item, lines, shown) => {
	const person = typing(...lines);
	expect(await askPerson(item, person)).toEqual(LATER);
	expect(person.shown()).toMatch(shown);
	expect(person.shown().match(/Answer now/g)).toHaveLength(2);
});

test("an endless paste ends", async () => {
	const answer = await askPerson(sided, typing("3", ...Array.from({ length: 200 }, () => "x"), ""));
	expect(answer).toEqual(resolve({ directive: Array.from({ length: 200 }, () => "x").join("\n") }));
});

test("whatever is typed, only an answer that its item takes comes out", async () => {
	const line = fc.oneof(fc.string(), fc.constantFrom("1", "2", "3", "4", "5", "", "yes", "reject"));
	const items = fc.constantFrom(sided, signature, spent, late, conflictItem(["F1", "F2"]));
	await fc.assert(
		fc.asyncProperty(items, fc.array(line, { maxLength: 12 }), async (item, lines) => {
			const answer = await askPerson(item, typing(...lines));
			if (answer.kind === "reject") expect(answer.reason.trim()).not.toBe("");
			if (answer.kind !== "resolve") return;
			const { take, directive } = answer.request;
			const choice = directive === undefined ? (take ?? "continue") : "directive";
			const taken = choice === "developer" || choice === "reviewer" ? `take_${choice}` : choice;
			expect(item.choices).toContain(taken);
		}),
	);
});

test("a person is asked only where one types and reads, and no program listens", () => {
	const terminal = { terminal: true, typed: [] };
	const asks = (options: Parameters<typeof fakeShell>[0], flags = {}): boolean =>
		canAskPerson(fakeShell(options), flags);
	expect(asks(terminal)).toBe(true);
	expect(asks({ terminal: true })).toBe(false);
	expect(asks(terminal, { json: true })).toBe(false);
	expect(asks(terminal, { events: true })).toBe(false);
	expect(asks({ typed: [] })).toBe(false);
	for (const [value, asked] of [
		["true", false],
		["1", false],
		["", true],
		["False", true],
	] as const)
		expect(asks({ ...terminal, env: { CI: value } })).toBe(asked);
});

test("lines are read from a stream until it ends, and then never again", async () => {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const reader = await openTerminalReader(input, output, false);
	const first = reader.readLine("first: ");
	input.write("one\n");
	expect(await first).toBe("one");
	const pending = reader.readLine("second: ");
	input.end();
	expect(await pending).toBeNull();
	expect(await reader.readLine("third: ")).toBeNull();
	expect(await reader.readNext("fourth: ")).toBeNull();
	expect(String(output.read())).toBe("first: second: ");
	reader.close();
});

test("a paste goes into its text to the end, and answers no later question", async () => {
	const input = new PassThrough();
	const reader = await openTerminalReader(input, new PassThrough(), false);
	const first = reader.readLine("? ");
	input.write("one\ntwo\n\n1\n");
	expect(await first).toBe("one");
	expect(await reader.readNext("> ")).toBe("two");
	expect(await reader.readNext("> ")).toBe("");
	const asked = reader.readLine("? ");
	input.write("2\n");
	expect(await asked).toBe("2");
	reader.close();
});

test("Ctrl-C ends the input and nothing else", async () => {
	const input = new PassThrough();
	const reader = await openTerminalReader(input, new PassThrough(), true);
	const pending = reader.readLine("? ");
	input.write("\u0003");
	expect(await pending).toBeNull();
	expect(await reader.readLine("again? ")).toBeNull();
	reader.close();
});

test("a reader that is closed while it waits gives null", async () => {
	const reader = await openTerminalReader(new PassThrough(), new PassThrough(), false);
	const pending = reader.readLine("? ");
	reader.close();
	reader.close();
	expect(await pending).toBeNull();
});
