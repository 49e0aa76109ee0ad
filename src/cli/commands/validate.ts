import { counted } from "../../kernel/counted.ts";
import type { ValidatedWorkflow } from "../../library/validate-source.ts";
import { oneLine } from "../../words/visible-text.ts";
import { commandOf } from "../terminal/command.ts";
import { exitCodeOfLoading } from "../terminal/exit-code.ts";
import { renderDiagnostics } from "../terminal/render-error.ts";
import { withSparring } from "../terminal/shell.ts";
import { FILE, workflowSource } from "../terminal/workflow-source.ts";

const WHY: Readonly<Record<ValidatedWorkflow["tests"][number]["why"], string>> = {
	glob: "named by a check's `tests`",
	name: "tests by name or place",
	command: "used by a check's command",
	imported: "helpers that only tests import",
	read: "data that only tests read",
	apparatus: "neither product nor document",
};

const NAMED = 10;

function renderTests(tests: ValidatedWorkflow["tests"]): string {
	const lines = Object.entries(WHY).flatMap(([why, what]) => {
		const paths = tests.filter((file) => file.why === why).map(({ path }) => oneLine(path));
		if (paths.length === 0) return [];
		const more = paths.length > NAMED ? `, ... ${paths.length - NAMED} more` : "";
		return [`  ${what}: ${paths.slice(0, NAMED).join(", ")}${more}\n`];
	});
	return lines.length === 0
		? ""
		: `files that are no product, so a replay takes them from the base:\n${lines.join("")}`;
}

export const command = commandOf(
	{
		examples: ["spar validate", "spar validate sparring.yaml", "spar validate task.md --json"],
		argument: FILE,
	},
	async (shell, flags, file) => {
		const source = workflowSource(file, {});
		return await withSparring(shell, "read", async (sparring) => {
			const loaded = await sparring.validate(source);
			const code = exitCodeOfLoading(loaded);
			const { workflow, errors, warnings, tests } = loaded;
			const json = { valid: workflow !== null, errors, warnings, tests };
			if (flags.json !== true) shell.err.print(renderDiagnostics(loaded));
			if (workflow === null) {
				return { json, note: `${counted(errors.length, "error")}; nothing was run`, code };
			}
			const { name, tasks, checks } = workflow;
			const parts = `${counted(tasks.length, "task")}, ${counted(checks.length, "check")}`;
			const text = `${oneLine(name)} is valid: ${parts}\n${renderTests(tests)}`.trimEnd();
			return { json, text, code };
		});
	},
);
