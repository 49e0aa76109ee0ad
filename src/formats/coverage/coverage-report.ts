import { type InvalidReport, isCount, refuse } from "../reports/parsed-report.ts";

export type LineHits = ReadonlyMap<number, boolean>;

/**
 * By `path`; by the folder of a `package` and the file, without the source folder (JaCoCo); by the import path of a
 * `module` (Go).
 */
export type FileNaming = "path" | "package" | "module";

/** A coverage report before its names are mapped into the checkout. */
export interface CoverageLines {
	readonly kind: "coverage";
	readonly naming: FileNaming;
	/** Folders that the report states for relative names; often none. */
	readonly sources: readonly string[];
	/** All files by their name in the report, including those without executable lines. */
	readonly files: ReadonlyMap<string, LineHits>;
	/** Covered share of all lines, in a report that names no lines. */
	readonly share?: number | null;
}

export type CoverageReport = CoverageLines | InvalidReport;

const MAX_LINE = 10_000_000;

const MAX_LINES = 3_000_000;

/** A line that is listed twice was executed if either entry says so. */
export class LineTable {
	readonly #files = new Map<string, Map<number, boolean>>();
	#lines: Map<number, boolean> = new Map();
	#count = 0;
	#problem: string | undefined;

	open(file: string): void {
		this.#lines = this.#files.get(file) ?? new Map<number, boolean>();
		this.#files.set(file, this.#lines);
	}

	// Some tools list line 0.
	add(line: number, executed: boolean): void {
		if (!isCount(line) || line > MAX_LINE) this.#problem ??= `the line number ${line} is not valid`;
		if (this.#problem !== undefined || line === 0) return;
		const known = this.#lines.get(line);
		if (known === undefined) this.#count += 1;
		if (this.#count > MAX_LINES) this.#problem = `it lists more than ${MAX_LINES} lines`;
		if (known !== true) this.#lines.set(line, executed);
	}

	report(naming: FileNaming = "path", sources: readonly string[] = []): CoverageReport {
		if (this.#problem !== undefined) return refuse(this.#problem);
		if (this.#files.size === 0) return refuse("it lists no files");
		return { kind: "coverage", naming, sources, files: this.#files };
	}
}
