import type { RunReport, Sparring } from "../app/sparring.ts";
import { conflictsInQuestion } from "../human/conflicts-in-question.ts";
import type { HumanItem } from "../human/human-item.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import { askPerson, type Conversation, type PersonAnswer } from "./ask-person.ts";
import type { LineReader } from "./terminal-reader.ts";
import { visibleText } from "./visible-text.ts";

/** What came of asking about a run. */
export interface Answered {
	/** Questions that have an answer now, whoever gave it. */
	readonly answered: number;
	/** Ids of the questions that the person left for later. */
	readonly left: readonly string[];
	/** Whether the input ended, as by Ctrl-C; what was not asked before that is left too. */
	readonly stopped: boolean;
}

type Store = Pick<Sparring, "item" | "itemVersion" | "resolveItem" | "rejectItem">;

/** A question as it is shown. */
interface Shown {
	readonly item: HumanItem;
	readonly version: string;
}

type Outcome = "answered" | "left";

const REFUSED: readonly FaultCode[] = ["answer-invalid", "outdated"];

/** Stores what a person said; `left` when it was refused and the question is still open. */
async function store(
	sparring: Store,
	{ item, version }: Shown,
	answer: Exclude<PersonAnswer, { readonly kind: "later" }>,
	{ outlet }: Conversation,
): Promise<Outcome> {
	try {
		const proof = { by: "terminal", version } as const;
		if (answer.kind === "reject") await sparring.rejectItem(item.id, answer.reason, proof);
		else await sparring.resolveItem(item.id, { ...answer.request, ...proof });
		return "answered";
	} catch (error) {
		// Somebody else was faster: the question is answered, and the run goes on with that answer.
		if (!(error instanceof Fault && REFUSED.includes(error.code))) throw error;
		outlet.print(`${visibleText(error.message)}\n`);
		return (await sparring.item(item.id)).answer === null ? "left" : "answered";
	}
}

const waitingIn = (item: HumanItem): number => conflictsInQuestion(item)?.unanswered.length ?? 0;

/** Asks about one item: once, or conflict by conflict, each answer stored at once. */
async function answerOne(
	sparring: Store,
	id: string,
	conversation: Conversation,
): Promise<Outcome> {
	// Read first, so that the question that is shown is no older.
	const version = await sparring.itemVersion(id);
	let item = await sparring.item(id);
	let isNext = false;
	while (item.answer === null) {
		const answer = await askPerson(item, conversation, isNext);
		if (answer.kind === "later") return "left";
		const outcome = await store(sparring, { item, version }, answer, conversation);
		if (waitingIn(item) < 2) return outcome;
		const after = await sparring.item(id);
		// Without progress it would ask for ever.
		if (after.answer === null && waitingIn(after) >= waitingIn(item)) return "left";
		item = after;
		isNext = true;
	}
	return "answered";
}

/** A reader that remembers whether its input has ended. */
function watched(reader: LineReader): LineReader & { readonly hasEnded: () => boolean } {
	let ended = false;
	const note = (line: string | null): string | null => {
		ended ||= line === null;
		return line;
	};
	return {
		readLine: async (prompt) => note(await reader.readLine(prompt)),
		readNext: async (prompt) => note(await reader.readNext(prompt)),
		hasEnded: () => ended,
	};
}

/**
 * Asks about every question that a paused run waits for, one after another in the order of its tasks, and stores each
 * answer at once. The run is to be resumed when one of them was answered and the person did not stop.
 *
 * @param leftBefore ids of questions that were left for later already, which are not asked again
 */
export async function answerWaiting(
	sparring: Store,
	report: Pick<RunReport, "tasks">,
	conversation: Conversation,
	leftBefore: readonly string[] = [],
): Promise<Answered> {
	const ids = Object.values(report.tasks).flatMap(({ human_item: id }) =>
		id === null ? [] : [id],
	);
	const reader = watched(conversation.reader);
	const left: string[] = [];
	for (const id of ids) {
		const skipped = leftBefore.includes(id) || reader.hasEnded();
		const outcome = skipped ? "left" : await answerOne(sparring, id, { ...conversation, reader });
		if (outcome === "left") left.push(id);
	}
	return { answered: ids.length - left.length, left, stopped: reader.hasEnded() };
}
