import { counted } from "../../kernel/counted.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { ValidatedWorkflow } from "../../library/validate-source.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { renderDiagnostics } from "../terminal/render-error.ts";
import { verbCommand } from "../terminal/verb-command.ts";

const WHY: Readonly<Record<ValidatedWorkflow["tests"][number]["why"], string>> = {
	glob: "named by a check's `tests`",
	name: "tests by name or place",
	command: "used by a check's command",
	imported: "helpers that only tests import",
	read: "data that only tests read",
	apparatus: "neither product nor document",
};

function renderTests(tests: ValidatedWorkflow["tests"], listsAll: boolean): string {
	if (tests.length === 0) return "";
	const lines = Object.entries(WHY).flatMap(([why, what]) => {
		const paths = tests.filter((file) => file.why === why).map(({ path }) => oneLine(path));
		if (paths.length === 0) return [];
		return [`  ${what}: ${listsAll ? paths.join(", ") : counted(paths.length, "file")}\n`];
	});
	const how = listsAll ? "" : " (spar validate --all names them)";
	return `files that are no product, so a replay takes them from the base${how}:\n${lines.join("")}`;
}

const ONLY_CHECKS = "no task, so it serves spar check and no run";

export const command = verbCommand<"validate", { readonly all?: boolean }>("validate", {
	options: { "--all": "name the files that a replay takes from the base" },
	act: async ({ shell, sparring, flags, given: { source = { kind: "file" } } }) => {
		const loaded = await sparring.validate(source);
		const { workflow, errors, warnings, tests } = loaded;
		const json = { valid: workflow !== null, errors, warnings, tests };
		if (flags.json !== true) shell.err.print(renderDiagnostics(loaded));
		if (workflow === null) {
			const note = `${counted(errors.length, "error")}; nothing was run`;
			return { json, note, code: EXIT.usage };
		}
		const { name, tasks, checks } = workflow;
		const of = tasks.length === 0 ? ONLY_CHECKS : counted(tasks.length, "task");
		const parts = `${of}, ${counted(checks.length, "check")}`;
		const text =
			`${oneLine(name)} is valid: ${parts}\n${renderTests(tests, flags.all === true)}`.trimEnd();
		return { json, text };
	},
});
