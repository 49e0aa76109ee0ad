import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { sideOf, validateAnswer } from "../../human/validate-answer.ts";
import { Fault } from "../../kernel/fault.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import { formOf, itemOffers, type Offer, requestOf } from "../../words/item-offers.ts";
import { visibleText } from "../../words/visible-text.ts";
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

interface Option {
	readonly words: readonly string[];
	readonly effect: string;
	readonly step: Offer | "later" | "diff";
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

const hasDiff = ({ context }: HumanItem): boolean => context.diff_path !== null;

function menu(item: HumanItem, options: readonly Option[], paint: Paint): string {
	const shown = [
		...options.map((option, index) => ({ ...option, key: `${index + 1}` })),
		...(hasDiff(item) ? [{ ...SHOW_DIFF, key: " " }] : []),
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
	if (hasDiff(item) && SHOW_DIFF.words.includes(said)) return SHOW_DIFF;
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
		const { step } = option;
		if (step === "later") return { kind: "later" };
		const answer =
			step === "diff"
				? await conversation.showDiff(item).then(() => null)
				: await answerWith(item, step, conversation);
		if (answer !== null) return answer;
	}
	outlet.print("No answer; the question stays open.\n");
	return { kind: "later" };
}
