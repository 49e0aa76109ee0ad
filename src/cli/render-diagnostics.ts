import type { LoadedWorkflow } from "../app/sparring.ts";
import { visibleText } from "../words/visible-text.ts";
import { formatDiagnostic } from "../workflow/diagnostic.ts";

export function renderDiagnostics(loaded: LoadedWorkflow): string {
	const warnings = loaded.warnings.map((each) => ({
		...each,
		message: `warning: ${each.message}`,
	}));
	return [...loaded.errors, ...warnings]
		.map((each) => `${visibleText(formatDiagnostic(each))}\n`)
		.join("");
}
