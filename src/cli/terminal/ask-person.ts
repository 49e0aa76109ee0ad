import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { sideOf, validateAnswer } from "../../human/validate-answer.ts";
import { Fault } from "../../kernel/fault.ts";
import { visibleText } from "../../kernel/visible-text.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import { formOf, itemOffers, type Offer, requestOf } from "../../words/item-offers.ts";
import type { Paint } from "./paint.ts";
import { renderBrief, renderConflict, renderQuestion } from "./render-item.ts";
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

interface Option {
	readonly words: readonly string[];
	readonly effect: string;
	readonly step: Offer | "later" | "diff" | "more";
}

// A loop that nobody ends must end.
const MAX_ATTEMPTS = 5;

const MAX_LINES = 200;

const LATER: Option = {
	step: "later",
	words: ["later"],
	effect: "The question stays open, and the run waits for it.",
};

// Of several conflicts the first is asked about.
function optionsOf(item: HumanItem): readonly Option[] {
	const topic = topicOf(item);
	const offers = itemOffers(item).filter(
		({ finding }) => finding === null || finding === topic?.finding,
	);
	return [
		...offers.map((step) => ({ step, words: formOf(step).words, effect: step.effect })),
		LATER,
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

const SHOW_DIFF: Option = {
	step: "diff",
	words: ["d", "diff"],
	effect: "Shows what the task changed.",
};

const SHOW_MORE: Option = {
	step: "more",
	words: ["m", "more"],
	effect: "Shows all that is known.",
};

const hasDiff = ({ context }: HumanItem): boolean => context.diff_path !== null;

const looksOf = (item: HumanItem): readonly Option[] =>
	hasDiff(item) ? [SHOW_DIFF, SHOW_MORE] : [SHOW_MORE];

function menu(item: HumanItem, options: readonly Option[], paint: Paint): string {
	const shown = [
		...options.map((option, index) => ({ ...option, key: `${index + 1}` })),
		...looksOf(item).map((option) => ({ ...option, key: " " })),
	];
	const lines = shown.map(
		({ key, words: [word = ""], effect }) =>
			`  ${key}  ${paint("strong", word)}: ${visibleText(effect)}`,
	);
	return `\n${paint("strong", menuTitle(topicOf(item)))}\n${lines.join("\n")}\n`;
}

// Words may be cut short: no two options begin alike.
function chosen(item: HumanItem, options: readonly Option[], line: string): Option | undefined {
	const said = line.trim().toLowerCase();
	if (said === "") return undefined;
	const look = looksOf(item).find(({ words }) => words.includes(said));
	if (look !== undefined) return look;
	const side = sideOf(line.trim(), item);
	const isNamed = ({ step, words }: Option): boolean =>
		words[0] === said || (typeof step === "object" && step.choice === side);
	const fitting = options.filter(({ words }) => words.some((word) => word.startsWith(said)));
	return (
		options.find(isNamed) ??
		options[Number(said) - 1] ??
		(fitting.length === 1 ? fitting[0] : undefined)
	);
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

async function readAsked(offer: Offer, conversation: Conversation): Promise<string | null> {
	const { asks } = formOf(offer);
	if (asks === undefined) return "";
	if (asks.question !== undefined) return await readText(conversation, asks.question);
	return (await conversation.reader.readLine(`${asks.label}: `))?.trim() ?? null;
}

function refusal(item: HumanItem, request: AnswerRequest): string | null {
	try {
		validateAnswer(item, request);
		return null;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return visibleText(error.message);
	}
}

async function answerWith(
	item: HumanItem,
	offer: Offer,
	conversation: Conversation,
): Promise<PersonAnswer | null> {
	const { reader, outlet } = conversation;
	const text = await readAsked(offer, conversation);
	if (text === null) return null;
	const { reject, ...request } = requestOf(offer, text);
	if (reject !== undefined) return { kind: "reject", reason: reject };
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

async function look(
	item: HumanItem,
	step: "diff" | "more",
	{ outlet, paint, showDiff }: Conversation,
): Promise<void> {
	if (step === "diff") await showDiff(item);
	else outlet.print(`${renderQuestion(item, paint, lineWidth(outlet))}\n`);
}

// Looking is no failed answer.
async function askOnce(
	item: HumanItem,
	options: readonly Option[],
	conversation: Conversation,
): Promise<PersonAnswer | "looked" | null> {
	const { reader, outlet, paint } = conversation;
	outlet.print(menu(item, options, paint));
	const line = await reader.readLine(`Your answer (1 to ${options.length}): `);
	if (line === null) return { kind: "later" };
	const { step } = chosen(item, options, line) ?? {};
	if (step === "later") return { kind: "later" };
	if (step === "diff" || step === "more") {
		await look(item, step, conversation);
		return "looked";
	}
	if (step !== undefined) return await answerWith(item, step, conversation);
	outlet.print("Give one of the numbers, or its word.\n");
	return null;
}

// An empty line is no answer, and asks again. `isNext`: the person has seen the item just before.
export async function askPerson(
	item: HumanItem,
	conversation: Conversation,
	isNext: boolean = false,
): Promise<PersonAnswer> {
	const { outlet, paint } = conversation;
	const options = optionsOf(item);
	const topic = topicOf(item);
	const shown =
		isNext && topic !== undefined
			? renderConflict(item, topic.finding, paint)
			: `\n${renderBrief(item, paint, lineWidth(outlet))}`;
	outlet.print(`${shown}\n`);
	for (let attempt = 0; attempt < MAX_ATTEMPTS; ) {
		const answer = await askOnce(item, options, conversation);
		if (answer !== "looked") attempt += 1;
		if (answer !== null && answer !== "looked") return answer;
	}
	outlet.print("No answer; the question stays open.\n");
	return { kind: "later" };
}
