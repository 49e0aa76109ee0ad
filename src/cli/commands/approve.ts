import type { Command } from "commander";
import type { Fault } from "../../kernel/fault.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import { VERBS } from "../../library/verbs/table.ts";
import type {
	ApprovalOptions,
	TaskApproval,
	VerificationFlag,
} from "../../planning/planning-reports.ts";
import type { CliCommand } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { usageFault } from "../terminal/option-values.ts";
import { renderDiagnostics } from "../terminal/render-error.ts";
import { lineWidth, printJson, type Shell, withSparring } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";

function renderVerifier({ effective, by, verifier }: TaskApproval): string {
	if (effective) return verifier ?? "nobody can";
	return by === "heuristic" && verifier !== null ? `${verifier}, if the diff asks for it` : "-";
}

export function renderApprovals(tasks: readonly TaskApproval[], columns: number): string {
	const rows = tasks.map((task) => [
		task.id,
		String(task.requires_verification),
		renderVerifier(task),
		task.by,
		task.reason === null ? "-" : oneLine(task.reason),
	]);
	const allowed = tasks.flatMap(({ id, allow }) =>
		allow.map(
			({ path, change, reason }) =>
				`${id} allows "${change}" of ${oneLine(path)}: ${oneLine(reason)}\n`,
		),
	);
	const head = ["task", "requires_verification", "verifier", "by", "reason"];
	return `${table([head, ...rows], columns)}\n${allowed.join("")}`;
}

async function approve(
	shell: Shell,
	options: ApprovalOptions,
	flags: { readonly json?: boolean },
): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const { loaded, report } = await sparring.approve(options);
		shell.err.print(renderDiagnostics(loaded));
		if (report === null) {
			shell.err.print("nothing was written\n");
			return EXIT.usage;
		}
		for (const note of report.notes) shell.err.print(`${note}\n`);
		if (flags.json === true) printJson(shell, report);
		else shell.out.print(renderApprovals(report.tasks, lineWidth(shell.out)));
		return EXIT.done;
	});
}

// `--verify a` and `--no-verify a` share a name for commander.
function flagsOfTasks(): {
	readonly chosen: ReadonlyMap<string, VerificationFlag>;
	readonly set: (flag: VerificationFlag) => (id: string) => void;
} {
	const chosen = new Map<string, VerificationFlag>();
	return {
		chosen,
		set: (flag) => (id) => {
			const before = chosen.get(id);
			if (before !== undefined && before !== flag)
				throw contradiction(
					`task ${id} is given with ${optionOf(before)} and with ${optionOf(flag)}`,
				);
			chosen.set(id, flag);
		},
	};
}

const optionOf = (flag: VerificationFlag): string =>
	flag === "auto" ? "--auto" : flag ? "--verify" : "--no-verify";

const contradiction = (message: string): Fault => usageFault(message, "Decide on one of them.");

// Two of these options share a name for commander, and the last one would win.
function refuseBoth(command: Command): void {
	const given = new Set<string>();
	for (const name of ["verify-all", "no-verify-all", "auto-all"]) {
		command.on(`option:${name}`, () => {
			given.add(`--${name}`);
			if (given.size > 1)
				throw contradiction(`both ${[...given].sort().reverse().join(" and ")} are given`);
		});
	}
}

const { path: FILE } = VERBS.approve.fields;

export const command: CliCommand = {
	...VERBS.approve,
	define: (command, shell, finish) => {
		const { chosen, set } = flagsOfTasks();
		refuseBoth(command);
		command
			.argument(FILE.spelt ?? "", FILE.about)
			.option("--verify <task-id...>", "these tasks need independent tests", set(true))
			.option("--no-verify <task-id...>", "these tasks need none", set(false))
			.option("--auto <task-id...>", "Sparring decides again for these tasks", set("auto"))
			.option("--auto-all", "Sparring decides for every task; with the others: but those")
			.option("--verify-all", "every task needs them; with --no-verify: but those")
			.option("--no-verify-all", "no task needs them; with --verify: but those")
			.option("--json", "print JSON")
			.action(
				async (
					path: string | undefined,
					given: {
						readonly verifyAll?: boolean;
						readonly autoAll?: boolean;
						readonly json?: boolean;
					},
				) => {
					const all = given.autoAll === true ? "auto" : given.verifyAll;
					finish(await approve(shell, { path, all, tasks: chosen }, { json: given.json === true }));
				},
			);
	},
};
