import type { RunReport, Sparring } from "../app/sparring.ts";
import { Fault } from "../kernel/fault.ts";
import { askPerson, type Conversation, type LineReader } from "./ask-person.ts";
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

type Store = Pick<Sparring, "item" | "resolveItem" | "rejectItem">;

async function answerOne(
	sparring: Store,
	id: string,
	conversation: Conversation,
): Promise<"answered" | "left"> {
	const item = await sparring.item(id);
	if (item.answer !== null) return "answered";
	const answer = await askPerson(item, conversation);
	if (answer.kind === "later") return "left";
	try {
		if (answer.kind === "reject") await sparring.rejectItem(id, answer.reason);
		else await sparring.resolveItem(id, answer.request);
	} catch (error) {
		// Somebody else was faster: the question is answered, and the run goes on with that answer.
		if (!(error instanceof Fault && error.code === "answer-invalid")) throw error;
		conversation.outlet.write(`${visibleText(error.message)}\n`);
		return (await sparring.item(id)).answer === null ? "left" : "answered";
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
