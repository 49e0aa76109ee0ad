import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import { reasonLine, TRIGGER_WORDS } from "../../human/headline.ts";
import { type HumanItem, isOpen } from "../../human/human-item.ts";
import { questionReason } from "../../human/reason.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import type { Sparring } from "../../library/sparring.ts";
import { VERBS } from "../../library/verbs/table.ts";
import { itemDetailJson, itemJson } from "../../view/item-json.ts";
import { ITEM_STATUS_WORDS } from "../../words/states.ts";
import type { CliCommand, JsonFlag, Told } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { needText, usageFault } from "../terminal/option-values.ts";
import { paintFor } from "../terminal/paint.ts";
import { renderItem } from "../terminal/render-item.ts";
import { lineWidth, printJson, type Shell, withSparring } from "../terminal/shell.ts";
import { withSubcommands } from "../terminal/subcommands.ts";
import { table } from "../terminal/table.ts";
import { type Typed, verbCommand } from "../terminal/verb-command.ts";

export async function listTold(
	shell: Shell,
	sparring: Pick<Sparring, "items">,
	flags: { readonly all?: boolean },
): Promise<Told> {
	const items = (await sparring.items()).filter((item) => flags.all === true || isOpen(item));
	const rows = items.map((item) => [
		item.id,
		item.taskId,
		TRIGGER_WORDS[item.trigger],
		ITEM_STATUS_WORDS[item.status],
		reasonLine(questionReason(item), 160),
	]);
	const heading = ["id", "task", "trigger", "status", "reason"];
	const json = items.map(itemJson);
	if (items.length === 0) return { json, note: "no question waits for a person" };
	const text = table([heading, ...rows], lineWidth(shell.out));
	return { json, text, note: "read one with: spar questions ID" };
}

export async function itemTold(
	sparring: Pick<Sparring, "item" | "itemVersion">,
	id: string,
	render: (item: HumanItem) => string,
): Promise<Told> {
	const item = await sparring.item(id);
	const version = await sparring.itemVersion(id);
	return { json: { ...itemDetailJson(item), version }, text: render(item) };
}

const list = verbCommand<"items", { readonly all?: boolean }>("items", {
	options: { "--all": "include answered questions" },
	act: ({ shell, sparring, flags }) => listTold(shell, sparring, flags),
});

function partlyAnswered(
	item: HumanItem,
): { answered: string[]; waiting: readonly string[] } | undefined {
	const conflicts = isOpen(item) ? conflictsInQuestion(item) : undefined;
	if (conflicts === undefined) return undefined;
	const waiting = conflicts.unanswered;
	const answered = conflicts.findings.filter((finding) => !waiting.includes(finding));
	return answered.length === 0 ? undefined : { answered, waiting };
}

function outcomeText(item: HumanItem): string {
	const parts = partlyAnswered(item);
	return parts === undefined
		? `${item.id} ${ITEM_STATUS_WORDS[item.status]}`
		: `${item.id} ${parts.answered.join(", ")} answered; still waiting: ${parts.waiting.join(", ")}`;
}

export async function answerItem(
	shell: Shell,
	flags: JsonFlag,
	answer: (sparring: Sparring) => Promise<HumanItem>,
): Promise<number> {
	return await withSparring(shell, "write", async (sparring) => {
		const item = await answer(sparring);
		if (flags.json === true) printJson(shell, itemDetailJson(item));
		else shell.out.print(`${outcomeText(item)}\n`);
		if (isOpen(item)) {
			if (partlyAnswered(item) !== undefined)
				shell.err.print(`See what waits with: spar questions ${item.id}\n`);
			return EXIT.done;
		}
		const { status, shared } = await sparring.status(item.runId);
		const again = `spar resume ${item.runId}`;
		if (status === "paused_for_user_escalation")
			shell.err.print(
				shared === true
					? `A worker goes on with it. If none runs: ${again}\n`
					: `Continue with: ${again}\n`,
			);
		return EXIT.done;
	});
}

// commander takes an option that follows at once for its value.
function findingIds(given: readonly string[]): readonly string[] {
	const ids = given.flatMap((text) => text.split(/[\s,]+/)).filter((id) => id !== "");
	const option = ids.find((id) => id.startsWith("-"));
	if (ids.length > 0 && option === undefined) return ids;
	throw usageFault(
		`--finding needs an id${option === undefined ? "" : ` before ${option}`}`,
		"Name one finding or several, such as: --finding F1 F2 --take player",
	);
}

/** Options of an answer, as every command that gives one has them. */
export const ANSWER_JSON = { "--json": "print the question with its answer as JSON" } as const;

export async function resolveItem({
	shell,
	flags,
	given: { id = "", ...given },
}: Typed<"resolveItem", object>): Promise<number> {
	const { take, directive, finding } = given;
	if (take !== undefined && directive !== undefined) {
		throw usageFault(
			"both --take and --directive are given",
			"Take a side or give a directive; with a side, add remarks with --notes.",
		);
	}
	if (directive !== undefined) needText("--directive", directive);
	const request: AnswerRequest = {
		...given,
		...(finding === undefined ? {} : { finding: findingIds(finding) }),
		by: "terminal",
	};
	return await answerItem(shell, flags, (sparring) => sparring.resolveItem(id, request));
}

const show = verbCommand("item", {
	act: async ({ shell, sparring, given: { id = "" } }) =>
		await itemTold(sparring, id, (item) =>
			renderItem(item, paintFor(shell.out, shell.env), lineWidth(shell.out)),
		),
});

const ack = verbCommand("ackItem", {
	act: async ({ sparring, given: { id = "" } }) => {
		const item = await sparring.ackItem(id);
		return { json: itemDetailJson(item), text: `${item.id} ${ITEM_STATUS_WORDS[item.status]}` };
	},
});

const resolve = verbCommand("resolveItem", { options: ANSWER_JSON, alone: resolveItem });

const reject = verbCommand("rejectItem", {
	options: ANSWER_JSON,
	alone: async ({ shell, flags, given: { id = "", reason = "", version } }) => {
		needText("--reason", reason);
		return await answerItem(shell, flags, (sparring) =>
			sparring.rejectItem(id, reason, { version, by: "terminal" }),
		);
	},
});

export const command: CliCommand = withSubcommands(
	{
		examples: ["spar hil", "spar hil show n07a4w", "spar hil resolve n07a4w --take player"],
		page: "people",
	},
	{
		list: [VERBS.items.summary, list],
		show: [VERBS.item.summary, show],
		ack: [VERBS.ackItem.summary, ack],
		resolve: [VERBS.resolveItem.summary, resolve],
		reject: [VERBS.rejectItem.summary, reject],
	},
);
