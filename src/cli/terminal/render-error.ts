import { inspect } from "node:util";
import { Fault } from "../../kernel/fault.ts";
import { visibleText } from "../../kernel/visible-text.ts";
import type { LoadedWorkflow } from "../../places/load-source.ts";
import { formatDiagnostic } from "../../workflow/diagnostic.ts";
import type { Paint } from "./paint.ts";

/** An error as people read it. Of two the first is told, not that of tidying up after it. */
export function renderError(thrown: unknown, paint: Paint): string {
	const error: unknown = thrown instanceof SuppressedError ? thrown.suppressed : thrown;
	if (error instanceof Fault) {
		const hint = error.hint === undefined ? "" : `${visibleText(error.hint)}\n`;
		return `${paint("bad", "error:")} ${visibleText(error.message)}\n${hint}`;
	}
	const stack = error instanceof Error ? inspect(error) : `thrown: ${inspect(error)}`;
	return (
		`${visibleText(stack)}\n` +
		`${paint("bad", "this is a bug of Sparring")}: please report it with the text above. ` +
		"State written so far is kept; `spar runs` lists the runs.\n"
	);
}

export function renderDiagnostics(loaded: LoadedWorkflow): string {
	const warnings = loaded.warnings.map((each) => ({
		...each,
		message: `warning: ${each.message}`,
	}));
	return [...loaded.errors, ...warnings]
		.map((each) => `${visibleText(formatDiagnostic(each))}\n`)
		.join("");
}
