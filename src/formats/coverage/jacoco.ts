import type { CoverageReport } from "./coverage-report.ts";
import { readXmlLines, type XmlAttributes } from "./xml-lines.ts";

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
