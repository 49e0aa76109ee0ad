import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { globProblem } from "./glob.ts";
import { pathProblem } from "./relative-path.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskField } from "./task-field.ts";

/** Paths that cannot name a file of the checkout, and globs that name none or have an open bracket. */
export function reportPaths(root: Field, tasks: readonly TaskField[], report: Reporter): void {
	const checks = root
		.at("checks")
		.entries()
		.map(({ field }) => field);
	const paths = [
		...checks.map((check) => check.at("report").at("path")),
		...tasks.flatMap(({ field }) => field.at("context_files").items()),
	];
	for (const field of paths) {
		const problem = field.text === undefined ? undefined : pathProblem(field.text);
		if (problem !== undefined) report.error(field, `${quote(String(field.value))} ${problem}`);
	}
	const globs = [
		...root.at("setup_inputs").items(),
		...root.at("protected").items(),
		...root.at("verification").at("paths").items(),
		...checks.flatMap((check) => check.at("tests").items()),
		...tasks.flatMap(({ field }) =>
			field
				.at("allow")
				.items()
				.map((rule) => rule.at("path")),
		),
	];
	for (const field of globs) {
		const problem = field.text === undefined ? undefined : globProblem(field.text);
		if (problem !== undefined)
			report.error(field, `${quote(String(field.value))} ${problem.message}`, problem.hint);
	}
	reportCopies(root, report);
}

function reportCopies(root: Field, report: Reporter): void {
	for (const field of root.at("copy").items()) {
		const problem = field.text === undefined ? undefined : copyProblem(field.text);
		if (problem !== undefined) report.error(field, `${quote(String(field.value))} ${problem}`);
		if (root.at("code").at("remote").text === undefined) continue;
		report.error(
			field,
			"copy is not available where several machines share a run",
			"each machine has its own ignored files: let setup write what the checks need",
		);
	}
}

function copyProblem(path: string): string | undefined {
	if (/^(?:\.\/)*\.sparring(?:\/|$)/.test(path)) return "is Sparring's own state";
	return pathProblem(path) ?? globProblem(path)?.message;
}
