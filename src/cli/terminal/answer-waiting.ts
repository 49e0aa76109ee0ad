import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { Fault, type FaultCode } from "../../kernel/fault.ts";
import { visibleText } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { RunReport } from "../../view/report.ts";
import { askPerson, type Conversation, type PersonAnswer } from "./ask-person.ts";
import type { LineReader } from "./terminal-reader.ts";

export interface Answered {
	readonly answered: number;
	readonly left: readonly string[];
	readonly stopped: boolean;
}

type ItemStore = Pick<Sparring, "item" | "itemVersion" | "resolveItem" | "rejectItem">;

const LOOK_MS = 500;

const pauseBetweenLooks = async (signal: AbortSignal): Promise<void> => {
	const { setTimeout: delay } = await import("node:timers/promises");
	await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
};

class AnswerRound {
	readonly #sparring: Pick<ItemStore, "item">;
	readonly #end = new AbortController();
	readonly mine = new Set<string>();
	readonly elsewhere: Promise<null>;
	isOver = false;

	constructor(
		sparring: Pick<ItemStore, "item">,
		ids: readonly string[],
		pause: typeof pauseBetweenLooks,
	) {
		this.#sparring = sparring;
		this.elsewhere = this.#watch(ids, pause);
	}

	async #watch(ids: readonly string[], pause: typeof pauseBetweenLooks): Promise<null> {
		const { signal } = this.#end;
		while (!this.isOver) {
			await pause(signal);
			// Nobody waits for it any more.
			if (signal.aborted) return await new Promise(() => undefined);
			for (const id of ids) {
				const item = await this.#sparring.item(id).catch(() => null);
				if (item !== null && item.answer !== null && !this.mine.has(id)) this.isOver = true;
			}
		}
		return null;
	}

	close(): void {
		this.#end.abort();
	}
}

const REFUSED: readonly FaultCode[] = ["answer-invalid", "outdated"];

async function store(
	sparring: ItemStore,
	{ item, version }: { readonly item: HumanItem; readonly version: string },
	answer: Exclude<PersonAnswer, { readonly kind: "later" }>,
	{ outlet }: Conversation,
	{ mine }: AnswerRound,
): Promise<"answered" | "left"> {
	try {
		mine.add(item.id);
		const proof = { by: "terminal", version } as const;
		if (answer.kind === "reject") await sparring.rejectItem(item.id, answer.reason, proof);
		else await sparring.resolveItem(item.id, { ...answer.request, ...proof });
		return "answered";
	} catch (error) {
		// Somebody else was faster: the question is answered, and the run goes on with that answer.
		if (!(error instanceof Fault && REFUSED.includes(error.code))) throw error;
		outlet.print(`${visibleText(error.message)}\n`);
		if ((await sparring.item(item.id)).answer !== null) return "answered";
		mine.delete(item.id);
		return "left";
	}
}

const waitingIn = (item: HumanItem): number => conflictsInQuestion(item)?.unanswered.length ?? 0;

async function answerOne(
	sparring: ItemStore,
	id: string,
	conversation: Conversation,
	round: AnswerRound,
): Promise<"answered" | "left"> {
	// Read first, so that the question that is shown is no older.
	const version = await sparring.itemVersion(id);
	let item = await sparring.item(id);
	let isNext = false;
	while (item.answer === null) {
		const answer = await askPerson(item, conversation, isNext);
		if (answer.kind === "later")
			return (await sparring.item(id)).answer === null ? "left" : "answered";
		const outcome = await store(sparring, { item, version }, answer, conversation, round);
		if (waitingIn(item) < 2) return outcome;
		const after = await sparring.item(id);
		// Without progress it would ask for ever.
		if (after.answer === null && waitingIn(after) >= waitingIn(item)) return "left";
		item = after;
		isNext = true;
	}
	return "answered";
}

function watched(
	reader: LineReader,
	round: AnswerRound,
): LineReader & { readonly hasEnded: () => boolean } {
	let ended = false;
	const note = (line: string | null): string | null => {
		ended ||= line === null;
		return line;
	};
	// A prompt that is given up hears nothing more: the next one takes its place.
	const read = (line: Promise<string | null>): Promise<string | null> =>
		Promise.race([line.then(note), round.elsewhere]);
	return {
		readLine: (prompt) => (round.isOver ? round.elsewhere : read(reader.readLine(prompt))),
		readNext: (prompt) => (round.isOver ? round.elsewhere : read(reader.readNext(prompt))),
		hasEnded: () => ended,
	};
}

// Once one is answered elsewhere no more is asked: what it stood in the way of goes on first.
export async function answerWaiting(
	sparring: ItemStore,
	report: Pick<RunReport, "tasks">,
	conversation: Conversation,
	leftBefore: readonly string[] = [],
	pause: typeof pauseBetweenLooks = pauseBetweenLooks,
): Promise<Answered> {
	const ids = Object.values(report.tasks).flatMap(({ human_item: id }) =>
		id === null ? [] : [id],
	);
	const round = new AnswerRound(sparring, ids, pause);
	try {
		return await askAll(sparring, { ids: [...new Set(ids)], leftBefore }, conversation, round);
	} finally {
		round.close();
	}
}

async function askAll(
	sparring: ItemStore,
	{ ids, leftBefore }: { readonly ids: readonly string[]; readonly leftBefore: readonly string[] },
	conversation: Conversation,
	round: AnswerRound,
): Promise<Answered> {
	const reader = watched(conversation.reader, round);
	const left: string[] = [];
	let answered = 0;
	for (const id of ids) {
		const skipped = leftBefore.includes(id) || reader.hasEnded();
		const outcome = skipped
			? "left"
			: await answerOne(sparring, id, { ...conversation, reader }, round);
		if (round.isOver) {
			conversation.outlet.print("\nA question was answered elsewhere; the run goes on.\n");
			return { answered: answered + 1, left: [...leftBefore], stopped: false };
		}
		if (outcome === "left") left.push(id);
		else answered += 1;
	}
	return { answered, left, stopped: reader.hasEnded() };
}
