import { counted } from "../../kernel/counted.ts";
import type { ValidatedWorkflow } from "../../library/validate-source.ts";
import { oneLine } from "../../words/visible-text.ts";
import { commandOf, type JsonFlag } from "../terminal/command.ts";
import { exitCodeOfLoading } from "../terminal/exit-code.ts";
import { renderDiagnostics } from "../terminal/render-error.ts";
import { printJson, withSparring } from "../terminal/shell.ts";
import { FILE, workflowSource } from "../terminal/workflow-source.ts";

const WHY: Readonly<Record<ValidatedWorkflow["tests"][number]["why"], string>> = {
	glob: "named by a check's `tests`",
	name: "tests by name or place",
	command: "used by a check's command",
	imported: "helpers that only tests import",
	read: "data that only tests read",
};

const NAMED = 10;

function renderTests(tests: ValidatedWorkflow["tests"]): string {
	const lines = Object.entries(WHY).flatMap(([why, what]) => {
		const paths = tests.filter((file) => file.why === why).map(({ path }) => oneLine(path));
		if (paths.length === 0) return [];
		const more = paths.length > NAMED ? `, ... ${paths.length - NAMED} more` : "";
		return [`  ${what}: ${paths.slice(0, NAMED).join(", ")}${more}\n`];
	});
	return lines.length === 0 ? "" : `files that count as tests, not as product:\n${lines.join("")}`;
}

export const command = commandOf<JsonFlag>(
	{
		examples: ["spar validate", "spar validate sparring.yaml", "spar validate task.md --json"],
		argument: FILE,
		options: { "--json": "print JSON" },
	},
	async (shell, flags, file) => {
		const source = workflowSource(file, {});
		return await withSparring(shell, "read", async (sparring) => {
			const loaded = await sparring.validate(source);
			const code = exitCodeOfLoading(loaded);
			if (flags.json === true) {
				const { errors, warnings, tests } = loaded;
				printJson(shell, { valid: loaded.workflow !== null, errors, warnings, tests });
				return code;
			}
			shell.err.print(renderDiagnostics(loaded));
			if (loaded.workflow === null) {
				shell.err.print(`${counted(loaded.errors.length, "error")}; nothing was run\n`);
			} else {
				const { name, tasks, checks } = loaded.workflow;
				const parts = `${counted(tasks.length, "task")}, ${counted(checks.length, "check")}`;
				shell.out.print(`${oneLine(name)} is valid: ${parts}\n${renderTests(loaded.tests)}`);
			}
			return code;
		});
	},
);
