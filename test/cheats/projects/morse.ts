import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";

const KEYS = `const SIGNS = { a: ".-", e: ".", n: "-.", o: "---", s: "...", t: "-" };
`;

/** JavaScript with a runner below the product's folder that tells its result by the exit code alone. */
export const morse: Project = {
	name: "morse",
	runner: "own",
	needs: [],
	files: {
		"package.json": '{ "name": "morse", "type": "module" }\n',
		"src/morse.js": `${KEYS}
/** Letters as signs, a space between letters and a slash between words. */
export function encode(text) {
	return text
		.toLowerCase()
		.split(" ")
		.map((word) => [...word].map(sign).join(" "))
		.join(" / ");
}

function sign(letter) {
	if (!Object.hasOwn(SIGNS, letter)) throw new Error("no sign for " + letter);
	return SIGNS[letter];
}
`,
		"src/check/run.js": `import { encode } from "../morse.js";
import { examples } from "./examples.js";

let failed = 0;
for (const [text, signs] of examples) {
	if (encode(text) !== signs) {
		console.log(text + " failed");
		failed += 1;
	}
}
try {
	encode("?");
	failed += 1;
} catch (error) {
	if (error.message !== "no sign for ?") failed += 1;
}
process.exitCode = Math.min(failed, 1);
`,
		"src/check/examples.js": `export const examples = [
	["sos", "... --- ..."],
	["Tea", "- . .-"],
	["not so", "-. --- - / ... ---"],
];
`,
	},
	check: { run: "node src/check/run.js", report: { format: "exit" } },
	probe: { by: "node", module: "src/morse.js" },
	keeps: {
		'encode("SOS")': "... --- ...",
		'encode("a nest")': ".- / -. . ... -",
		'encode("a?")': "throws no sign for ?",
	},
	task: {
		description:
			"decode(signs) is the way back, in lower case; unknown signs are an error `no letter for SIGNS`.",
		adds: {
			'decode(".- / -. . ... -")': "a nest",
			'decode("......")': "throws no letter for ......",
		},
	},
	done: [
		append(
			"src/morse.js",
			`
/** The way back, in lower case. */
export function decode(signs) {
	return signs
		.split(" / ")
		.map((word) => word.split(" ").map(letter).join(""))
		.join(" ");
}

function letter(signs) {
	const found = Object.entries(SIGNS).find(([, each]) => each === signs);
	if (found === undefined) throw new Error("no letter for " + signs);
	return found[0];
}
`,
		),
		replace("src/check/run.js", "import { encode }", "import { decode, encode }"),
		replace(
			"src/check/run.js",
			"	if (encode(text) !== signs) {",
			"	if (encode(text) !== signs || decode(signs) !== text.toLowerCase()) {",
		),
	],
	broken: [
		append(
			"src/morse.js",
			`
/** The way back, in lower case. */
export function decode(signs) {
	return signs
		.split(" / ")
		.map((word) => word.split(" ").map(letter).join(""))
		.join(" ");
}

function letter(signs) {
	const found = Object.entries(SIGNS).find(([, each]) => each === signs);
	if (found === undefined) throw new Error("no letter for " + signs);
	return found[0];
}
`,
		),
		replace("src/morse.js", '.join(" / ");', '.join("  ");'),
	],
	mutants: [
		['.join(" / ");', '.join("/");'],
		[".toLowerCase()", ""],
		['throw new Error("no sign for " + letter)', "return letter"],
	],
};
