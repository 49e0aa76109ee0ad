/** A place in a file that a person wrote. Both numbers count from 1; a column is a UTF-16 unit. */
export interface Position {
	readonly file: string;
	readonly line: number;
	readonly column: number;
}

/** One thing that is wrong, or doubtful, in a workflow file. */
export interface Diagnostic extends Position {
	/** One line, without a final full stop. */
	readonly message: string;
	/** Next step, or the likely meant word. */
	readonly hint?: string | undefined;
}

/**
 * A diagnostic as a person reads it: `file:line:column message`, and the hint indented below it.
 *
 * @example `"sparring.yaml:3:5 unknown key \"agnet\"\n    did you mean \"agent\"?"`
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
	const { file, line, column, message, hint } = diagnostic;
	const head = `${file}:${line}:${column} ${message}`;
	return hint === undefined ? head : `${head}\n    ${hint}`;
}

/** The diagnostics in the order of the file, equal ones once: two uses of one anchor are one mistake. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
	const unique = new Map(diagnostics.map((each) => [formatDiagnostic(each), each]));
	return [...unique.values()].sort(comparePositions);
}

export function comparePositions(a: Position, b: Position): number {
	if (a.file !== b.file) return a.file < b.file ? -1 : 1;
	return a.line - b.line || a.column - b.column;
}
