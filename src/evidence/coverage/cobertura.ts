import type { CoverageReport } from "./coverage-report.ts";
import { readXmlLines, type XmlAttributes } from "./xml-lines.ts";

const MAX_SOURCES = 100;

/**
 * Reads Cobertura XML: `class` elements with a `filename`, and their `lines`. Lines of methods are ignored, since they
 * repeat those of the class or are not executable. So are the rates that the report states.
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
