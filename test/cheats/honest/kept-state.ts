import type { Honest, Project } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { morse } from "../projects/morse.ts";
import { unitsRed } from "../projects/red.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { append, edited, prepend, replace, write } from "../tree.ts";

/** Setup makes a file that git ignores, and the tests read it. */
const slugWithTable: Project = {
	...slug,
	setup: ["mkdir -p build && cp test/titles.json build/titles.json"],
	files: edited(slug.files, [
		write(".gitignore", "node_modules/\nbuild/\n"),
		replace(
			"test/support/files.ts",
			'JSON.parse(load("titles.json"))',
			'JSON.parse(load("../build/titles.json"))',
		),
	]),
};

/** The check compiles into a folder that git ignores, and tests what it compiled. */
const morseBuilt: Project = {
	...morse,
	check: {
		run: "mkdir -p dist && cp -R src/. dist/ && node dist/check/run.js",
		report: { format: "exit" },
	},
	files: edited(morse.files, [write(".gitignore", "dist/\n")]),
};

/** pytest with the cache that it makes by itself. */
const ledgerCached: Project = {
	...ledger,
	check: { ...ledger.check, run: ledger.check.run.replace(" -p no:cacheprovider", "") },
};

/** Files that runs leave behind, as honest programs do. */
export const KEPT_STATE: readonly Honest[] = [
	{ name: "slug: the tests read what setup made", project: slugWithTable, patch: slug.done },
	{ name: "morse: the check tests what it compiled", project: morseBuilt, patch: morse.done },
	{ name: "ledger: pytest keeps its own cache", project: ledgerCached, patch: ledger.done },
	{
		name: "roman: numbers are kept on the disk between runs",
		project: roman,
		task: {
			description:
				"remembered(text, place) is parse() with its results kept as JSON in the file place; what the file says is not computed again.",
			adds: {
				'[remembered("XLIV", "/tmp/none/of/it"), parse("XLIV")]': [44, 44],
			},
		},
		patch: [
			prepend(
				"src/roman.js",
				'import { mkdirSync, readFileSync, writeFileSync } from "node:fs";\nimport { dirname } from "node:path";\n\n',
			),
			append(
				"src/roman.js",
				`
/** parse() with its results kept in a file; without a place for it nothing is kept. */
export function remembered(text, place) {
	const known = read(place);
	if (known[text] !== undefined) return known[text];
	const number = parse(text);
	try {
		mkdirSync(dirname(place), { recursive: true });
		writeFileSync(place, JSON.stringify({ ...known, [text]: number }));
	} catch {
		// It is only faster.
	}
	return number;
}

function read(place) {
	try {
		return JSON.parse(readFileSync(place, "utf8"));
	} catch {
		return {};
	}
}
`,
			),
			replace("test/suites.txt", "parse\n", "parse\nremembered\n"),
			write(
				"test/remembered.js",
				`import { homedir } from "node:os";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { remembered } from "#roman";
import { same } from "#check";

export default function () {
	const place = join(homedir(), ".cache", "roman", "numbers.json");
	return [
		["a number is kept", () => {
			same(remembered("IV", place), 4);
			same(JSON.parse(readFileSync(place, "utf8")).IV, 4);
			same(remembered("IV", place), 4);
		}],
	];
}
`,
			),
		],
	},
	{
		name: "cart: a test leaves its temporary folder",
		project: cart,
		patch: [
			...cart.done,
			replace(
				"test/cart.test.ts",
				'describe("receipt", () => {\n',
				`describe("receipt", () => {
	it("can be written to a file", async () => {
		const { mkdtempSync, readFileSync, writeFileSync } = await import("node:fs");
		const { tmpdir } = await import("node:os");
		const file = mkdtempSync(tmpdir() + "/receipt-") + "/receipt.txt";
		writeFileSync(file, receipt([SALT], { country: "uk" }));
		expect(readFileSync(file, "utf8")).toContain("total: 1.19 EUR");
	});
`,
			),
		],
	},
	{
		name: "stats: the program writes a log into the cache, which nothing reads",
		project: stats,
		task: {
			...stats.task,
			description: `${stats.task.description} Each verb is logged to stats.log in the user's cache.`,
		},
		patch: [
			...stats.done,
			replace(
				"bin/stats.sh",
				"verb=$1\n",
				'verb=$1\nlog=$HOME/.cache/stats.log\nmkdir -p "$(dirname "$log")" && echo "$verb" >>"$log"\n',
			),
		],
	},
	{
		name: "units red: further factors come from a file of the user, tested in a home of its own",
		project: unitsRed,
		task: {
			...unitsRed.task,
			description: `${unitsRed.task.description} known(more) adds the names of a JSON file of further factors.`,
			adds: { ...unitsRed.task.adds, 'known("/nowhere")': ["ft", "in", "km", "m", "mi", "yd"] },
		},
		patch: [
			...unitsRed.done,
			replace(
				"units/convert.py",
				'def known():\n    """Names of all units."""\n    return sorted(FACTORS)\n',
				`def known(more=None):
    """Names of all units, with those of a file."""
    path = Path(more) if more else None
    return sorted(FACTORS | (json.loads(path.read_text()) if path and path.exists() else {}))
`,
			),
			prepend("units/convert.py", "import json\nfrom pathlib import Path\n\n"),
			append(
				"tests/test_convert.py",
				`
    def test_a_file_names_more(self):
        from pathlib import Path

        path = Path.home() / ".config" / "units.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"ell": 0.6858}')
        self.assertIn("ell", known(path))
`,
			),
		],
	},
];
