import type { ChangedModule, CodeMutant } from "./module-mutants.ts";

/** A file with the lines to mutate, and the same text without comments and long texts, each line where it was. */
export interface LineSource extends ChangedModule {
	readonly code: string;
}

interface Rule {
	readonly operator: string;
	/** Its first group, or else all of it, is replaced. */
	readonly find: RegExp;
	readonly fresh: (found: string, line: string) => string | null;
	readonly files?: RegExp;
}

const PAIRS: readonly (readonly [string, string])[] = [
	["+", "-"],
	["+=", "-="],
	["<", "<="],
	[">", ">="],
	["-lt", "-le"],
	["-gt", "-ge"],
	["==", "!="],
	["===", "!=="],
	["-eq", "-ne"],
	["is", "is not"],
	["and", "or"],
	["&&", "||"],
	["True", "False"],
	["true", "false"],
];
const ONE_WAY: readonly (readonly [string, string])[] = [
	["*", "+"],
	["/", "*"],
	["//", "*"],
	["%", "*"],
	["not in", "in"],
];
const SWAPS = new Map([
	...PAIRS,
	...PAIRS.map(([one, other]) => [other, one] as const),
	...ONE_WAY,
]);
const swapped = (found: string): string | null => SWAPS.get(found) ?? null;

const PYTHON = /\.py$/;
const SHELL = /\.(?:sh|bash|zsh|ksh|mk|awk)$|(?:^|\/)[^.]+$/;
const BLANK = /\.(?:py|rb|php|java|kts?|swift|lua|exs?|cs|dart|groovy|scala)$/;
const NO_VALUE: Readonly<Record<string, string>> = {
	py: "None",
	rb: "nil",
	lua: "nil",
	ex: "nil",
	exs: "nil",
	swift: "nil",
};

/** Conditions that another mutant negates already. */
const COMPARES = /^[^&|]*(?:[!=]=|\bis\b|\bnot in\b)(?:(?!\band\b|\bor\b)[^&|])*$/;

const RULES: readonly Rule[] = [
	{ operator: "arithmetic", find: / ([-+*/%]|\/\/|[-+]=) (?=\S)/g, fresh: swapped },
	{ operator: "boundary", find: /\s(<=?|>=?|-l[te]|-g[te])\s/g, fresh: swapped },
	{ operator: "equality", find: /\s([!=]==?|-eq|-ne|is not|is|not in)\s/g, fresh: swapped },
	{ operator: "logical", find: /\s(and|or|&&|\|\|)\s/g, fresh: swapped },
	{ operator: "boolean", find: /\b(True|False|true|false)\b/g, fresh: swapped },
	{
		operator: "number",
		find: /(?<![\w.$])(\d{1,9})(?:\.\d+)?(?![\w.])/g,
		fresh: (found) => String(Number(found) + 1),
	},
	{
		operator: "error",
		find: /\b(?:raise|throw new) ([A-Za-z]\w*)\b/g,
		fresh: (found, line) => {
			const general = line.includes("raise") ? "RuntimeError" : "Error";
			return found === general ? null : general;
		},
	},
	{
		operator: "negation",
		find: /^\s*(?:\} ?)?(?:(?:el)?if|elif|while) (.+):$/g,
		fresh: (found) => (COMPARES.test(found) ? null : `not (${found})`),
		files: PYTHON,
	},
	{
		operator: "negation",
		find: /^\s*(?:\} ?)?(?:else )?if \((.+)\) \{$/g,
		fresh: (found) => (COMPARES.test(found) ? null : `!(${found})`),
	},
	{
		operator: "return",
		find: /^\s*return (.+?);?$/g,
		fresh: (found, line) => {
			const value = NO_VALUE[line] ?? "null";
			return found === value || /^(?:None|nil|null|True|False|true|false|\d+)$/.test(found)
				? null
				: value;
		},
		files: BLANK,
	},
	{
		operator: "statement",
		find: /^\s+((?:[\w]+\.)+\w+\(.*\))$/g,
		fresh: () => "pass",
		files: PYTHON,
	},
];

const TEXTS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
/** Lines that only say what comes from where. */
const NAMES = /^\s*(?:import|from|use|using|require\w*|include|package|export|__all__|#)\b/;
const SAID = /\b(?:raise|throw|print\w*|log\w*|warn|echo|panic)\b/;

/**
 * Mutants of single lines by their text, for languages whose syntax is not read here: an operator, a value, a condition,
 * what is returned or raised. Some may not be valid; a test notices those.
 *
 * @example `return a + b` in Python gives `return a - b` and `return None`
 */
export function lineMutants(files: readonly LineSource[]): CodeMutant[] {
	return files.flatMap((file) => {
		const [lines, code] = [file.text.split("\n"), file.code.split("\n")];
		return file.lines.flatMap((line) =>
			mutantsOf(file.path, lines[line - 1] ?? "", code[line - 1] ?? "").map(
				({ operator, fresh }): CodeMutant => ({
					file: file.path,
					line,
					operator,
					old: (lines[line - 1] ?? "").trim(),
					fresh: fresh.trim(),
					text: lines.with(line - 1, fresh).join("\n"),
				}),
			),
		);
	});
}

function mutantsOf(
	path: string,
	line: string,
	code: string,
): { readonly operator: string; readonly fresh: string }[] {
	const bare = commonStart(line, code).trimEnd();
	if (NAMES.test(bare)) return [];
	// Quotes of a shell hold code.
	const isShell = SHELL.test(path);
	const masked = isShell
		? bare
		: bare.replaceAll(TEXTS, (text) => `"${"_".repeat(text.length - 2)}"`);
	const ending = /\w*$/.exec(path)?.[0] ?? "";
	const isSaid = SAID.test(bare);
	const rules = RULES.filter(
		({ files, operator }) =>
			(files === undefined || files.test(path)) && !(isSaid && operator === "arithmetic"),
	);
	const found = rules.flatMap(({ operator, find, fresh }) =>
		[...masked.matchAll(find)].flatMap((match) => {
			const old = match[1] ?? match[0];
			const at = match.index + match[0].indexOf(old);
			const real = line.slice(at, at + old.length);
			const other = fresh(real, operator === "return" ? ending : bare);
			return other === null
				? []
				: [{ operator, fresh: line.slice(0, at) + other + line.slice(at + old.length) }];
		}),
	);
	const emptied =
		isShell || isSaid
			? []
			: [...bare.matchAll(TEXTS)].flatMap(({ 0: text, index }) =>
					text.length === 2
						? []
						: [
								{
									operator: "string",
									fresh: line.slice(0, index + 1) + line.slice(index + text.length - 1),
								},
							],
				);
	return [...found, ...emptied];
}

function commonStart(line: string, code: string): string {
	let length = 0;
	while (length < line.length && line[length] === code[length]) length += 1;
	return line.slice(0, length);
}
