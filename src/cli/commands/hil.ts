import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import { reasonLine, TRIGGER_WORDS } from "../../human/headline.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { questionReason } from "../../human/reason.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import type { Sparring } from "../../library/sparring.ts";
import { itemDetailJson, itemJson } from "../../view/item-json.ts";
import { dollars } from "../../words/item-offers.ts";
import { ITEM_STATUS_WORDS } from "../../words/states.ts";
import {
	type CliCommand,
	commandOf,
	type JsonFlag,
	sparringCommand,
	type Told,
} from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { needText, usageFault } from "../terminal/option-values.ts";
import { paintFor } from "../terminal/paint.ts";
import { renderItem } from "../terminal/render-item.ts";
import { lineWidth, printJson, type Shell, withSparring } from "../terminal/shell.ts";
import { withSubcommands } from "../terminal/subcommands.ts";
import { table } from "../terminal/table.ts";

export interface ResolveFlags extends JsonFlag {
	readonly take?: string;
	readonly directive?: string;
	readonly finding?: readonly string[];
	readonly notes?: string;
	readonly addUsd?: string;
	readonly addWall?: string;
	readonly version?: string;
}

export const isOpen = ({ status }: HumanItem): boolean =>
	status === "PENDING" || status === "ACKED";

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

const list = sparringCommand<{ readonly all?: boolean }>(
	{
		examples: ["spar hil list", "spar hil list --all", "spar hil list --json"],
		page: "people",
		access: "read",
		options: { "--all": "include answered questions" },
	},
	({ shell, sparring, flags }) => listTold(shell, sparring, flags),
);

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

const VERSION_HELP = "refuse if the question changed since `hil show --json` gave this version";

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

export async function resolveItem(shell: Shell, flags: ResolveFlags, id: string): Promise<number> {
	if (flags.take !== undefined && flags.directive !== undefined) {
		throw usageFault(
			"both --take and --directive are given",
			"Take a side or give a directive; with a side, add remarks with --notes.",
		);
	}
	if (flags.directive !== undefined) needText("--directive", flags.directive);
	const request: AnswerRequest = {
		take: flags.take,
		directive: flags.directive,
		finding: flags.finding === undefined ? undefined : findingIds(flags.finding),
		notes: flags.notes,
		addUsd: flags.addUsd === undefined ? undefined : dollars(flags.addUsd),
		addWall: flags.addWall,
		version: flags.version,
		by: "terminal",
	};
	return await answerItem(shell, flags, (sparring) => sparring.resolveItem(id, request));
}

export const ANSWER_OPTIONS = {
	"--take <side>": "take the side of the player, the coach, or an agent by name; or unverified",
	"--directive <text>": "tell the player what to do, for one more turn",
	"--finding <id...>": "the findings that the answer is for, if several conflicts wait",
	"--add-usd <n>": "add dollars to the spent budget",
	"--add-wall <duration>": "add time to the spent budget, such as 30m",
	"--notes <text>": "remarks to keep with the answer",
	"--version <version>": VERSION_HELP,
	"--json": "print the question with its answer as JSON",
} as const;

const ID = ["<id>", "id of the question"] as const;

const show = sparringCommand(
	{
		examples: [
			"spar hil show n07a4w",
			"spar hil show n07a4w | less",
			"spar hil show n07a4w --json",
		],
		page: "people",
		access: "read",
		argument: ID,
	},
	async ({ shell, sparring }, id = "") =>
		await itemTold(sparring, id, (item) =>
			renderItem(item, paintFor(shell.out, shell.env), lineWidth(shell.out)),
		),
);

const ack = sparringCommand(
	{
		examples: [
			"spar hil ack n07a4w",
			"spar hil ack n07a4w --json",
			"spar hil ack n07a4w && spar hil show n07a4w",
		],
		page: "people",
		access: "write",
		argument: ID,
	},
	async ({ sparring }, id = "") => {
		const item = await sparring.ackItem(id);
		return { json: itemDetailJson(item), text: `${item.id} ${ITEM_STATUS_WORDS[item.status]}` };
	},
);

const resolve = commandOf<ResolveFlags>(
	{
		examples: [
			"spar hil resolve n07a4w",
			'spar hil resolve n07a4w --directive "keep the old format"',
			"spar hil resolve n07a4w --finding F1 F2 --take coach",
		],
		page: "people",
		argument: ID,
		options: ANSWER_OPTIONS,
	},
	async (shell, flags, id = "") => await resolveItem(shell, flags, id),
);

const reject = commandOf<JsonFlag & { readonly reason: string; readonly version?: string }>(
	{
		examples: [
			'spar hil reject n07a4w --reason "no longer wanted"',
			'spar hil reject n07a4w --reason "no longer wanted" --json',
			'spar hil reject n07a4w --reason "wrong approach" && spar resume',
		],
		page: "people",
		argument: ID,
		required: ["--reason <text>", "why"],
		options: {
			"--version <version>": VERSION_HELP,
			"--json": "print the question with its answer as JSON",
		},
	},
	async (shell, flags, id = "") => {
		const { reason, version } = flags;
		needText("--reason", reason);
		return await answerItem(shell, flags, (sparring) =>
			sparring.rejectItem(id, reason, { version, by: "terminal" }),
		);
	},
);

const LIST = "list the questions that wait for a person (the default)";

export const command: CliCommand = withSubcommands(
	{
		examples: ["spar hil", "spar hil show n07a4w", "spar hil resolve n07a4w --take player"],
		page: "people",
	},
	{
		list: [LIST, list],
		show: ["show a question with everything needed to decide", show],
		ack: ["say that you have seen a question", ack],
		resolve: ["answer yes or try again; or choose a side, give a directive or add budget", resolve],
		reject: ["answer no: the task fails with the reason", reject],
	},
);
