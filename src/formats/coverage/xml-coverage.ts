import { XMLParser } from "fast-xml-parser";
import { plainText, refuse } from "../reports/parsed-report.ts";
import { XML_OPTIONS, xmlProblem } from "../reports/xml-tests.ts";
import { type CoverageReport, type FileNaming, LineTable } from "./coverage-report.ts";

type XmlAttributes = (name: string) => string | undefined;

/** Reads Clover's XML, as PHPUnit and Istanbul write it. A condition was executed if one of its two outcomes was. */
export function parseClover(text: string): CoverageReport {
	return readXmlLines(text, {
		root: "coverage",
		file: "file",
		line: ".file.line",
		number: "num",
		hits: ["count", "truecount", "falsecount"],
		naming: "path",
		// PHPUnit names the whole path by `name`, Istanbul by `path`.
		fileName: (attribute: XmlAttributes) => attribute("path") ?? attribute("name"),
	});
}

const MAX_SOURCES = 100;

/**
 * Reads Cobertura XML (coverage-04.dtd). Lines of methods count only in a file without others, since they repeat those
 * of the class or are not executable. The rates that the report states are ignored.
 */
export function parseCobertura(text: string): CoverageReport {
	const own = linesAt(text, ".class.lines.line");
	if (own.kind !== "coverage" || [...own.files.values()].every(({ size }) => size > 0)) return own;
	const below = linesAt(text, ".class.methods.method.lines.line");
	if (below.kind !== "coverage") return below;
	const lines = [...own.files].map(
		([file, hits]) => [file, hits.size > 0 ? hits : (below.files.get(file) ?? hits)] as const,
	);
	return { ...own, files: new Map(lines) };
}

function linesAt(text: string, line: string): CoverageReport {
	const format = {
		root: "coverage",
		file: "class",
		line,
		number: "number",
		hits: ["hits"],
		naming: "path",
		fileName: (attribute: XmlAttributes) => attribute("filename"),
	} as const;
	return readXmlLines(text, format, sourcesOf(text));
}

/** The folders that names are relative to. The XML walk gives no text, so they are searched separately. */
function sourcesOf(text: string): string[] {
	const head = text.slice(0, 1_000_000);
	return [...head.matchAll(/<source>([^<]{1,4096})<\/source>/g)]
		.slice(0, MAX_SOURCES)
		.map(([, source = ""]) => unescaped(source.trim()))
		.filter((source) => source !== "");
}

function unescaped(text: string): string {
	return text
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&apos;", "'")
		.replaceAll("&amp;", "&");
}

/**
 * Reads JaCoCo's XML (report.dtd, version 1.1). A line was executed if one of its instructions was (`ci` above 0).
 * Files are named `package/File.java`, without the source folder, so several modules may have a file with the same
 * name.
 */
export function parseJacoco(text: string): CoverageReport {
	let inPackage = "";
	const format = {
		root: "report",
		file: "sourcefile",
		line: ".sourcefile.line",
		number: "nr",
		hits: ["ci"],
		naming: "package",
		see: (name: string, attribute: XmlAttributes) => {
			if (name === "package") inPackage = attribute("name") ?? "";
		},
		fileName: (attribute: XmlAttributes) => {
			const file = attribute("name");
			return inPackage === "" || file === undefined ? file : `${inPackage}/${file}`;
		},
	} as const;
	return readXmlLines(text, format);
}

interface XmlFormat {
	readonly root: string;
	readonly file: string;
	/** Suffix of a line's path, such as `".sourcefile.line"`. Other lines are ignored. */
	readonly line: string;
	/** Attribute with a line's number. `hits`: those that say how often it was executed; one above 0 is enough. */
	readonly number: string;
	readonly hits: readonly string[];
	readonly naming: FileNaming;
	fileName(attribute: XmlAttributes): string | undefined;
	see?(name: string, attribute: XmlAttributes): void;
}

function readXmlLines(
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
	const number = attribute(format.number) ?? "";
	const hits = format.hits.map(attribute).join("");
	if (!COUNT.test(number) || !COUNT.test(hits)) {
		return `a line has ${format.number} "${number}" and ${format.hits[0] ?? ""} "${hits}"`;
	}
	table.add(Number(number), /[1-9]/.test(hits));
	return undefined;
}

const COUNT = /^\d+$/;

// Its definition is never fetched.
const PLAIN_DOCTYPE = /^<!DOCTYPE\s+[\w:.-]+(?:\s+(?:"[^"<>[]*"|'[^'<>[]*'|SYSTEM|PUBLIC))*\s*>/;

/**
 * Visits every element of an XML text in document order, without keeping them in memory. Refuses a document type with
 * declarations, and with it every entity.
 *
 * @param visit `place`: the names from the top to the element itself, such as `"report.package.sourcefile.line"`
 * @returns why the text is not read, or undefined
 * @throws what the parser and `visit` throw
 */
function walkXml(
	text: string,
	visit: (name: string, place: string, attribute: XmlAttributes) => void,
): string | undefined {
	const xml = plainText(text).trimStart();
	const problem = doctypeProblem(xml) ?? xmlProblem(xml);
	if (problem !== undefined) return problem;
	let open: Readonly<Record<string, string>> = {};
	const attribute: XmlAttributes = (name) => open[`@${name}`];
	// Resolving references takes a third of the time, and few reports have any.
	const hasReferences = xml.includes("&");
	new XMLParser({
		...XML_OPTIONS,
		processEntities: hasReferences,
		htmlEntities: hasReferences,
		updateTag: (name, place, attributes: Readonly<Record<string, string>> | undefined) => {
			open = attributes ?? {};
			visit(name, String(place), attribute);
			return false;
		},
	}).parse(xml);
	return undefined;
}

function doctypeProblem(xml: string): string | undefined {
	if (/<!ENTITY/i.test(xml)) return "it declares an entity";
	const at = xml.search(/<!DOCTYPE/i);
	if (at === -1) return undefined;
	return PLAIN_DOCTYPE.test(xml.slice(at, at + 1_000))
		? undefined
		: "its document type contains declarations";
}
