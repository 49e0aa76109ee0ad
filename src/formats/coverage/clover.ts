import type { CoverageReport } from "./coverage-report.ts";
import { readXmlLines, type XmlAttributes } from "./xml-lines.ts";

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
