import type { CliCommand } from "../command.ts";
import { exitCodeOfLoading } from "../exit-code.ts";
import { renderDiagnostics } from "../render-diagnostics.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { oneLine } from "../visible-text.ts";
import { workflowSource } from "../workflow-source.ts";

const count = (number: number, noun: string): string =>
	`${number} ${noun}${number === 1 ? "" : "s"}`;

/** `spar validate`: loads a file, looks at the repository's filters, and reports; exit 2 with errors, also with `--json`. */
async function validate(
	shell: Shell,
	file: string | undefined,
	flags: { readonly json?: boolean },
): Promise<number> {
	const source = workflowSource(file, {});
	return await withSparring(shell, "read", async (sparring) => {
		const loaded = await sparring.validate(source);
		const code = exitCodeOfLoading(loaded);
		if (flags.json === true) {
			const { errors, warnings } = loaded;
			printJson(shell, { valid: loaded.workflow !== null, errors, warnings });
			return code;
		}
		shell.err.write(renderDiagnostics(loaded));
		if (loaded.workflow === null) {
			shell.err.write(`${count(loaded.errors.length, "error")}; nothing was run\n`);
		} else {
			const { name, tasks, checks } = loaded.workflow;
			const parts = `${count(tasks.length, "task")}, ${count(checks.length, "check")}`;
			shell.out.write(`${oneLine(name)} is valid: ${parts}\n`);
		}
		return code;
	});
}

export const command: CliCommand = {
	example: "spar validate",
	define: (command, shell, finish) => {
		command
			.argument("[file]", "workflow file, or a task file ending in .md (default: sparring.yaml)")
			.option("--json", "print JSON")
			.action(async (file: string | undefined, flags: { readonly json?: boolean }) => {
				finish(await validate(shell, file, flags));
			});
	},
};
