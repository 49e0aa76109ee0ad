import { TRIGGER_WORDS } from "../../human/headline.ts";
import { type HumanItem, isOpen } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import { VERBS } from "../../library/verbs/table.ts";
import { commandOf, type JsonFlag } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { usageFault } from "../terminal/option-values.ts";
import { type Shell, withSparring } from "../terminal/shell.ts";
import { givenAt, optionsOf, type Typed } from "../terminal/verb-command.ts";
import { ANSWER_JSON, answerItem, resolveItem } from "./hil.ts";

interface AnswerFlags extends JsonFlag {
	readonly all?: string;
}

function requestOf(text: string): Pick<AnswerRequest, "take" | "directive"> {
	const word = text.trim().toLowerCase();
	if (["yes", "continue"].includes(word)) return {};
	if (["player", "coach", "developer", "reviewer", "unverified"].includes(word))
		return { take: word };
	if (/\S\s+\S/.test(word)) return { directive: text };
	throw usageFault(
		`"${text}" is no answer`,
		"Give yes, player, coach, unverified, or a directive of several words in quotes.",
	);
}

function ofOneCause(items: readonly HumanItem[], id: string | undefined): readonly HumanItem[] {
	const named = id === undefined ? items[0] : items.find((item) => item.id === id);
	const same = items.filter(
		({ trigger, runId }) => trigger === named?.trigger && runId === named.runId,
	);
	if (id !== undefined || same.length === items.length) return same;
	const causes = items.map(
		({ id: each, taskId, trigger }) => `${each} (${taskId}: ${TRIGGER_WORDS[trigger]})`,
	);
	throw new Fault(`the questions have several causes: ${causes.join(", ")}`, {
		code: "usage",
		hint: `Name one of the questions whose cause is meant: spar answer ${items[0]?.id ?? "ID"} --all ANSWER`,
	});
}

async function answerAll(
	shell: Shell,
	{ id, notes }: Typed<"resolveItem", object>["given"],
	{ all = "", ...flags }: AnswerFlags,
): Promise<number> {
	const request = { ...requestOf(all), notes, by: "terminal" } as const;
	const open = await withSparring(shell, "read", async (sparring) =>
		(await sparring.items()).filter(isOpen),
	);
	const items = ofOneCause(open, id);
	if (items.length === 0) {
		throw new Fault(
			id === undefined ? "no question waits for a person" : `no question ${id} waits`,
			{
				code: "item-not-found",
				hint: "See what waits: spar questions",
			},
		);
	}
	const refused: Fault[] = [];
	for (const { id: each } of items) {
		const answer = answerItem(shell, flags, (sparring) => sparring.resolveItem(each, request));
		await answer.catch((error: unknown) => {
			if (!(error instanceof Fault) || error.code !== "answer-invalid") throw error;
			refused.push(error);
		});
	}
	const [first] = refused;
	if (first !== undefined && refused.length === items.length) throw first;
	for (const { message } of refused) shell.err.print(`left open: ${message}\n`);
	return EXIT.done;
}

export const command = commandOf<AnswerFlags>(
	{
		examples: [
			"spar answer n07a4w",
			'spar answer n07a4w --directive "keep the old format"',
			"spar answer --all yes",
		],
		page: "people",
		argument: ["[id]", "id of the question"],
		options: {
			...optionsOf(VERBS.resolveItem.fields),
			...ANSWER_JSON,
			"--all <answer>": "yes, player, coach or a directive, for all that have one cause",
		},
	},
	async (shell, flags, id) => {
		const given = givenAt("resolveItem", id, flags);
		if (flags.all !== undefined) return await answerAll(shell, given, flags);
		if (id !== undefined) return await resolveItem({ shell, flags, given, words: [] });
		throw usageFault(
			"no question is named",
			"See what waits: spar questions; or give one answer to all: spar answer --all yes",
		);
	},
);
