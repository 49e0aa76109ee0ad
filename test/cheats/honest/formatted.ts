import type { Honest } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import type { Edit } from "../tree.ts";

/** Changes the text of every file whose name matches. */
function everywhere(files: RegExp, change: (text: string) => string): Edit {
	return (tree) =>
		Object.fromEntries(
			Object.entries(tree).map(([path, content]) =>
				files.test(path) && typeof content === "string" ? [path, change(content)] : [path, content],
			),
		);
}

const spaces = (text: string): string =>
	text.replaceAll(/^\t+/gm, (tabs) => "  ".repeat(tabs.length));

/** What a formatter or an organiser of imports does to every file. */
export const FORMATTED: readonly Honest[] = [
	{
		name: "limiter: two spaces and single quotes everywhere",
		project: limiter,
		task: { description: "Format all files with two spaces and single quotes." },
		patch: [everywhere(/\.js$/, (text) => spaces(text).replaceAll(/"([^"'\n]*)"/g, "'$1'"))],
		mutants: [["if (!(value > 0)) throw", "if (value < 0) throw"]],
	},
	{
		name: "slug: no semicolons anywhere",
		project: slug,
		task: { description: "Format all files without semicolons." },
		patch: [everywhere(/\.ts$/, (text) => text.replaceAll(/;$/gm, ""))],
		mutants: [["if (!taken.includes(slug)) return slug", ""]],
	},
	{
		name: "roman: tables are one item a line",
		project: roman,
		task: { description: "Format JSON files with one item a line." },
		patch: [everywhere(/cases\.json$/, (text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`)],
	},
	{
		name: "roman: arguments in parentheses break into lines",
		project: roman,
		task: { description: "Format the suites with lines of at most 60 characters." },
		patch: [
			everywhere(/test\/\w+\.js$/, (text) =>
				text.replaceAll(", () => ", ",\n\t\t() => ").replaceAll("return [...", "return [\n\t\t..."),
			),
		],
	},
	{
		name: "ledger: single quotes and blank lines as another formatter likes them",
		project: ledger,
		task: { description: "Format all Python files with single quotes." },
		patch: [
			everywhere(/(?:book|test_book|test_money)\.py$/, (text) =>
				text.replaceAll(/(?<!")"([^"'\n]*)"(?!")/g, "'$1'"),
			),
		],
	},
	{
		name: "units: imports are sorted and calls get trailing commas",
		project: units,
		task: {
			description: "Sort imports, and end lists of arguments over several lines with a comma.",
		},
		patch: [
			everywhere(/test_convert\.py$/, (text) =>
				text
					.replace(
						"from tests.case import UnitsCase\nfrom units import convert, known",
						"from units import convert, known\n\nfrom tests.case import UnitsCase",
					)
					.replace(
						"self.assert_close(convert(float(value), source, target), float(expected))",
						"self.assert_close(\n                        convert(float(value), source, target),\n                        float(expected),\n                    )",
					),
			),
		],
	},
];
