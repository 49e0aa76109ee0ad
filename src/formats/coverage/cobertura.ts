import type { CoverageReport } from "./coverage-report.ts";
import { readXmlLines, type XmlAttributes } from "./xml-lines.ts";

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
