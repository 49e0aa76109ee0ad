import type { CoverageReport } from "./coverage-report.ts";
import type { XmlAttributes } from "./walk-xml.ts";
import { readXmlLines } from "./xml-lines.ts";

/**
 * Reads JaCoCo's XML: `line` elements of `sourcefile` elements. A line was executed when one of its
 * instructions was (`ci` above 0), as JaCoCo's own line counter has it. Files are named
 * `package/File.java`, without the source folder; several modules may have a file of one name.
 *
 * @see jacoco's report.dtd, version 1.1
 */
export function parseJacoco(text: string): CoverageReport {
	let inPackage = "";
	const format = {
		root: "report",
		file: "sourcefile",
		line: ".sourcefile.line",
		number: "nr",
		hits: "ci",
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
