import { type Command, Option } from "commander";
import type { ResolveFlags } from "./commands/hil.ts";
import { newCommand } from "./new-command.ts";
import type { Shell } from "./shell.ts";

type Finish = (code: number) => void;

function addQuestions(hil: Command, shell: Shell, finish: Finish): void {
	newCommand(hil, "list", "list the questions that wait for a person", "spar hil list")
		.option("--all", "answered ones too")
		.option("--json", "print JSON")
		.action(async (flags: { readonly all?: boolean; readonly json?: boolean }) => {
			const { listItems } = await import("./commands/hil.ts");
			finish(await listItems(shell, flags));
		});
	newCommand(hil, "show", "show a question with everything to decide by", "spar hil show ID")
		.argument("<id>", "id of the question")
		.option("--json", "print JSON")
		.action(async (id: string, flags: { readonly json?: boolean }) => {
			const { showItem } = await import("./commands/hil.ts");
			finish(await showItem(shell, id, flags));
		});
	newCommand(hil, "ack", "say that you have seen a question", "spar hil ack ID")
		.argument("<id>", "id of the question")
		.action(async (id: string) => {
			const { ackItem } = await import("./commands/hil.ts");
			finish(await ackItem(shell, id));
		});
}

function addAnswers(hil: Command, shell: Shell, finish: Finish): void {
	newCommand(
		hil,
		"resolve",
		"answer: alone yes or try again, else a side, a directive or more budget",
		'spar hil resolve ID --directive "keep the old format"',
	)
		.argument("<id>", "id of the question")
		.addOption(
			new Option("--take <side>", "take the side of one seat").choices(["developer", "reviewer"]),
		)
		.option("--directive <text>", "tell the player what to do, for one more turn")
		.option("--finding <id...>", "the findings that it is for, where several conflicts wait")
		.option("--add-usd <n>", "add dollars to the spent budget")
		.option("--add-wall <duration>", "add time to the spent budget, such as 30m")
		.option("--notes <text>", "remarks to keep with the answer")
		.action(async (id: string, flags: ResolveFlags) => {
			const { resolveItem } = await import("./commands/hil.ts");
			finish(await resolveItem(shell, id, flags));
		});
	newCommand(
		hil,
		"reject",
		"answer no: the task fails with the reason",
		'spar hil reject ID --reason "not wanted any more"',
	)
		.argument("<id>", "id of the question")
		.requiredOption("--reason <text>", "why")
		.action(async (id: string, flags: { readonly reason: string }) => {
			const { rejectItem } = await import("./commands/hil.ts");
			finish(await rejectItem(shell, id, flags));
		});
}

/** Adds `hil` with `list`, `show`, `ack`, `resolve` and `reject`. */
export function addPeopleCommands(program: Command, shell: Shell, finish: Finish): void {
	const hil = newCommand(program, "hil", "questions that wait for a person", "spar hil list");
	addQuestions(hil, shell, finish);
	addAnswers(hil, shell, finish);
}
