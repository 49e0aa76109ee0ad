import { isCount, refuse } from "../report-guard.ts";
import type { InvalidReport } from "../reports/parsed-report.ts";

/** The executable lines of a file, from 1: true for one that was executed. */
export type LineHits = ReadonlyMap<number, boolean>;

/**
 * How a report names files: by a `path`; by the folder of the `package` and the file, whatever
 * source folder they lie in (JaCoCo); by the import path of a `module` (Go).
 */
export type FileNaming = "path" | "package" | "module";

/** What a coverage report says, before its names are mapped into the checkout. */
export interface CoverageLines {
	readonly kind: "coverage";
	readonly naming: FileNaming;
	/** Folders from which relative names count, as the report states them; often none. */
	readonly sources: readonly string[];
	/** Every file that the report lists, also one without executable lines, by its name there. */
	readonly files: ReadonlyMap<string, LineHits>;
}

export type CoverageReport = CoverageLines | InvalidReport;

/** No source file has more lines. */
const MAX_LINE = 10_000_000;

/** Executable lines of all files together; some hundred MB of memory. */
const MAX_LINES = 3_000_000;

/** Collects lines by file. A line that is listed twice was executed when one of the listings says so. */
export class LineTable {
	readonly #files = new Map<string, Map<number, boolean>>();
	#lines: Map<number, boolean> = new Map();
	#count = 0;
	#problem: string | undefined;

	/** Turns to a file: the lines that follow are its own. */
	open(file: string): void {
		this.#lines = this.#files.get(file) ?? new Map<number, boolean>();
		this.#files.set(file, this.#lines);
	}

	/**
	 * Records an executable line of the open file. Line 0, which some tools list, names none. What is beyond belief is
	 * kept as the reason that `report` gives.
	 */
	add(line: number, executed: boolean): void {
		if (!isCount(line) || line > MAX_LINE) this.#problem ??= `there is no line ${line}`;
		if (this.#problem !== undefined || line === 0) return;
		const known = this.#lines.get(line);
		if (known === undefined) this.#count += 1;
		if (this.#count > MAX_LINES) this.#problem = `it lists more than ${MAX_LINES} lines`;
		if (known !== true) this.#lines.set(line, executed);
	}

	/** What was collected; invalid when no file was opened. */
	report(naming: FileNaming = "path", sources: readonly string[] = []): CoverageReport {
		if (this.#problem !== undefined) return refuse(this.#problem);
		if (this.#files.size === 0) return refuse("it lists no file");
		return { kind: "coverage", naming, sources, files: this.#files };
	}
}
