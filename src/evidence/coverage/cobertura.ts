import type { CoverageReport } from "./coverage-report.ts";
import type { XmlAttributes } from "./walk-xml.ts";
import { readXmlLines } from "./xml-lines.ts";

const MAX_SOURCES = 100;

/**
 * Reads Cobertura XML: `class` elements with a `filename`, and their `lines`. Lines that stand under
 * methods are not used: they repeat those of the class, or name declarations that are not executable.
 * The rates that the report states are not used.
 *
 * @see cobertura's coverage-04.dtd
 */
export function parseCobertura(text: string): CoverageReport {
	const format = {
		root: "coverage",
		file: "class",
		line: ".class.lines.line",
		number: "number",
		hits: "hits",
		naming: "path",
		fileName: (attribute: XmlAttributes) => attribute("filename"),
	} as const;
	return readXmlLines(text, format, sourcesOf(text));
}

/** Folders from which the names count. The walk gives no text, so they are looked for by themselves. */
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
