import { describeChoice } from "../../human/choices.ts";
import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import type { Choice, HumanItem } from "../../human/human-item.ts";
import {
	type BudgetInQuestion,
	budgetInQuestion,
	sideOf,
	validateAnswer,
} from "../../human/validate-answer.ts";
import { Fault } from "../../kernel/fault.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import { visibleText } from "../../words/visible-text.ts";
import { dollars } from "./option-values.ts";
import type { Paint } from "./paint.ts";
import { renderConflict, renderQuestion } from "./render-item.ts";
import { lineWidth, type Outlet } from "./shell.ts";
import type { LineReader } from "./terminal-reader.ts";

export type PersonAnswer =
	| { readonly kind: "resolve"; readonly request: AnswerRequest }
	| { readonly kind: "reject"; readonly reason: string }
	| { readonly kind: "later" };

export interface Conversation {
	readonly reader: LineReader;
	readonly outlet: Outlet;
	readonly paint: Paint;
	readonly showDiff: (item: HumanItem) => Promise<void>;
}

type Step = "diff" | "later" | "reject" | "add-usd" | "add-wall" | Choice;

type Answering = Exclude<Step, "diff" | "later" | "reject">;

interface Option {
	readonly step: Step;
	readonly word: string;
	readonly effect: string;
}

const OTHER_TERMS: Readonly<Partial<Record<Step, readonly string[]>>> = {
	take_developer: ["developer"],
	take_reviewer: ["reviewer"],
};

// A loop that nobody ends must end.
const MAX_ATTEMPTS = 5;

const MAX_LINES = 200;

const WORDS: Readonly<Record<Choice, string>> = {
	continue: "yes",
	unverified: "unverified",
	take_developer: "player",
	take_reviewer: "coach",
	directive: "directive",
};

function budgetOptions(item: HumanItem, budget: BudgetInQuestion | undefined): Option[] {
	if (budget === undefined) return [];
	const owner = budget.scope === "run" ? "of the run" : `of task ${item.taskId}`;
	const effect = (what: string): string =>
		`${what} is added to the budget ${owner}, and it goes on.`;
	return [
		...(budget.usd ? [{ step: "add-usd", word: "dollars", effect: effect("Money") } as const] : []),
		...(budget.wall ? [{ step: "add-wall", word: "time", effect: effect("Time") } as const] : []),
	];
}

function optionsOf(item: HumanItem): readonly Option[] {
	return [
		...budgetOptions(item, budgetInQuestion(item)),
		...item.choices.map((choice) => ({
			step: choice,
			word: WORDS[choice],
			effect: describeChoice(item.trigger, choice),
		})),
		{ step: "reject", word: "reject", effect: describeChoice(item.trigger, "reject") },
		{ step: "later", word: "later", effect: "The question stays open, and the run waits for it." },
	];
}

interface Topic {
	readonly finding: string;
	readonly after: number;
}

function topicOf(item: HumanItem): Topic | undefined {
	const waiting = conflictsInQuestion(item)?.unanswered ?? [];
	const [finding] = waiting;
	return finding === undefined ? undefined : { finding, after: waiting.length - 1 };
}

function menuTitle(topic: Topic | undefined): string {
	if (topic === undefined) return "Answer now";
	return `Answer now on ${topic.finding}${topic.after === 0 ? "" : ` (${topic.after} more after it)`}`;
}

const SHOW_DIFF: Option = { step: "diff", word: "d", effect: "Shows what the task changed." };

const hasDiff = ({ context }: HumanItem): boolean => context.diff_path !== null;

function menu(item: HumanItem, options: readonly Option[], paint: Paint): string {
	const shown = [
		...options.map((option, index) => ({ ...option, key: `${index + 1}` })),
		...(hasDiff(item) ? [{ ...SHOW_DIFF, key: " " }] : []),
	];
	const lines = shown.map(
		({ key, word, effect }) => `  ${key}  ${paint("strong", word)}: ${visibleText(effect)}`,
	);
	return `\n${paint("strong", menuTitle(topicOf(item)))}\n${lines.join("\n")}\n`;
}

const wordsOf = ({ step, word }: Option): readonly string[] => [word, ...(OTHER_TERMS[step] ?? [])];

// Words may be cut short: no two options begin alike.
function chosen(item: HumanItem, options: readonly Option[], line: string): Option | undefined {
	const said = line.trim().toLowerCase();
	if (said === "") return undefined;
	if (hasDiff(item) && (said === "d" || said === "diff")) return SHOW_DIFF;
	const side = sideOf(line.trim(), item);
	const named = options.find(({ step, word }) => word === said || step === side);
	const fitting = options.filter((option) => wordsOf(option).some((word) => word.startsWith(said)));
	return named ?? options[Number(said) - 1] ?? (fitting.length === 1 ? fitting[0] : undefined);
}

async function readText(
	{ reader, outlet }: Conversation,
	question: string,
): Promise<string | null> {
	outlet.print(`${question} An empty line ends it.\n`);
	const lines: string[] = [];
	while (lines.length < MAX_LINES) {
		const line = await (lines.length === 0 ? reader.readLine("> ") : reader.readNext("> "));
		if (line === null) return null;
		if (line.trim() === "") break;
		lines.push(line);
	}
	const text = lines.join("\n").trim();
	return text === "" ? null : text;
}

type Request = Omit<AnswerRequest, "notes">;

async function requestOf(step: Answering, conversation: Conversation): Promise<Request | null> {
	const { reader } = conversation;
	switch (step) {
		case "continue":
			return {};
		case "unverified":
			return { take: "unverified" };
		case "take_developer":
			return { take: "developer" };
		case "take_reviewer":
			return { take: "reviewer" };
		case "directive": {
			const directive = await readText(conversation, "What is the player to do?");
			return directive === null ? null : { directive };
		}
		case "add-usd": {
			const line = await reader.readLine("Dollars to add, such as 5 or 0.50: ");
			return line === null ? null : { addUsd: dollars(line.trim()) };
		}
		case "add-wall": {
			const line = await reader.readLine("Time to add, such as 30m or 2h: ");
			return line === null ? null : { addWall: line.trim() };
		}
	}
}

function refusal(item: HumanItem, request: Request): string | null {
	try {
		validateAnswer(item, request);
		return null;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return visibleText(error.message);
	}
}

async function resolveWith(
	item: HumanItem,
	step: Answering,
	conversation: Conversation,
): Promise<PersonAnswer | null> {
	const { reader, outlet } = conversation;
	const said = await requestOf(step, conversation);
	if (said === null) return null;
	const topic = topicOf(item);
	const request = topic === undefined ? said : { ...said, finding: [topic.finding] };
	const problem = refusal(item, request);
	if (problem !== null) {
		outlet.print(`${problem}\n`);
		return null;
	}
	const notes = await reader.readLine("Remarks to keep with it (Enter: none): ");
	// The input ended before the answer was complete: nothing may be signed by closing a terminal.
	if (notes === null) return null;
	const remarks = notes.trim();
	return { kind: "resolve", request: remarks === "" ? request : { ...request, notes: remarks } };
}

async function take(
	item: HumanItem,
	step: Step,
	conversation: Conversation,
): Promise<PersonAnswer | null> {
	if (step === "later") return { kind: "later" };
	if (step === "diff") {
		await conversation.showDiff(item);
		return null;
	}
	if (step !== "reject") return await resolveWith(item, step, conversation);
	const reason = await readText(conversation, "Why?");
	return reason === null ? null : { kind: "reject", reason };
}

// An empty line is no answer, and asks again. `isNext`: the person has seen the item just before.
export async function askPerson(
	item: HumanItem,
	conversation: Conversation,
	isNext: boolean = false,
): Promise<PersonAnswer> {
	const { reader, outlet, paint } = conversation;
	const options = optionsOf(item);
	const topic = topicOf(item);
	const shown =
		isNext && topic !== undefined
			? renderConflict(item, topic.finding, paint)
			: `\n${renderQuestion(item, paint, lineWidth(outlet))}`;
	outlet.print(`${shown}\n`);
	for (let attempt = 0; attempt < MAX_ATTEMPTS; ) {
		outlet.print(menu(item, options, paint));
		const line = await reader.readLine(`Your answer (1 to ${options.length}): `);
		if (line === null) return { kind: "later" };
		const option = chosen(item, options, line);
		// Looking is no failed answer.
		if (option?.step !== "diff") attempt += 1;
		if (option === undefined) {
			outlet.print("Give one of the numbers, or its word.\n");
			continue;
		}
		const answer = await take(item, option.step, conversation);
		if (answer !== null) return answer;
	}
	outlet.print("No answer; the question stays open.\n");
	return { kind: "later" };
}
