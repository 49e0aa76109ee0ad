import { refuse } from "../report-guard.ts";
import { type CoverageReport, type FileNaming, LineTable } from "./coverage-report.ts";
import { walkXml, type XmlAttributes } from "./walk-xml.ts";

/** How an XML format of coverage says what it says. */
export interface XmlFormat {
	/** Name of the outermost element. */
	readonly root: string;
	/** Name of the element that stands around the lines of a file. */
	readonly file: string;
	/** End of the place of a line, such as `".sourcefile.line"`; lines elsewhere are not used. */
	readonly line: string;
	/** Attributes of a line: its number, and how often it was executed. */
	readonly number: string;
	readonly hits: string;
	readonly naming: FileNaming;
	/** Name of the file whose element begins; undefined when it has none. */
	fileName(attribute: XmlAttributes): string | undefined;
	/** Sees every element before anything else is made of it. */
	see?(name: string, attribute: XmlAttributes): void;
}

/**
 * Reads the lines of an XML report of coverage.
 *
 * @throws what the XML parser throws
 */
export function readXmlLines(
	text: string,
	format: XmlFormat,
	sources: readonly string[] = [],
): CoverageReport {
	const table = new LineTable();
	let root: string | undefined;
	let problem: string | undefined;
	const unread = walkXml(text, (name, place, attribute) => {
		if (place === name && !name.startsWith("?")) root = name;
		format.see?.(name, attribute);
		if (name === format.file) problem ??= openFile(format.fileName(attribute), table);
		else if (name === "line" && place.endsWith(format.line)) {
			problem ??= readLine(format, attribute, table);
		}
	});
	if (unread !== undefined) return refuse(unread);
	if (root !== format.root) return refuse(`it has no ${format.root} element`);
	return problem === undefined ? table.report(format.naming, sources) : refuse(problem);
}

function openFile(name: string | undefined, table: LineTable): string | undefined {
	if (name === undefined || name === "") return "a file has no name";
	table.open(name);
	return undefined;
}

function readLine(
	format: XmlFormat,
	attribute: XmlAttributes,
	table: LineTable,
): string | undefined {
	const [number = "", hits = ""] = [attribute(format.number), attribute(format.hits)];
	if (!COUNT.test(number) || !COUNT.test(hits)) {
		return `a line has ${format.number} "${number}" and ${format.hits} "${hits}"`;
	}
	table.add(Number(number), /[1-9]/.test(hits));
	return undefined;
}

const COUNT = /^\d+$/;
