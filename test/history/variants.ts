/** Text of a file with a part left out. */
export interface Shortened {
	readonly text: string;
	/** What is gone, its first line. */
	readonly gone: string;
}

const TEST_PATH = /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:^|\/)test_|[._](?:test|spec)\./;
const CODE = /\.(?:[cm]?[jt]sx?|py)$/;
const APPARATUS =
	/(?:^|\/)(?:docs?|examples?|bench(?:marks?)?|scripts|types?)\/|\.config\.|\.d\.[cm]?ts$|\.json$/;

export const isTestFile = (path: string): boolean => TEST_PATH.test(path) && CODE.test(path);

export const isProductFile = (path: string): boolean =>
	CODE.test(path) && !TEST_PATH.test(path) && !APPARATUS.test(path);

const CASE = /^(?<indent>\s*)(?:(?:it|test|st\.test|t\.test)\(|(?:async )?def test_)/;

const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

/** Lines of the block that begins at a line: up to the next one that is indented no deeper, and its closing bracket. */
function blockLength(lines: readonly string[], at: number): number {
	const own = indentOf(lines[at] ?? "");
	let length = 1;
	for (const line of lines.slice(at + 1)) {
		const deeper = indentOf(line) - own;
		if (line.trim() !== "" && deeper <= 0)
			return deeper === 0 && /^\s*[})\]]/.test(line) ? length + 1 : length;
		length += 1;
	}
	return length;
}

/**
 * The text without its innermost case in the middle; undefined where there are fewer than two.
 *
 * @param asked first line of another case that is to go instead
 */
export function withoutCase(text: string, asked?: string): Shortened | undefined {
	const lines = text.split("\n");
	const starts = lines.flatMap((line, at) => (CASE.test(line) ? [at] : []));
	const inner = starts.filter((start) => {
		const end = start + blockLength(lines, start);
		return !starts.some((other) => other > start && other < end);
	});
	const at =
		asked === undefined
			? inner[Math.floor(inner.length / 2)]
			: inner.find((start) => lines[start]?.trim() === asked);
	if (at === undefined || inner.length < 2) return;
	const kept = lines.toSpliced(at, blockLength(lines, at));
	return { text: kept.join("\n"), gone: (lines[at] ?? "").trim() };
}

const MUTATIONS: readonly (readonly [RegExp, string])[] = [
	[/ === /, " !== "],
	[/ == /, " != "],
	[/ \+ 1\b/, " + 2"],
	[/ - 1\b/, " - 2"],
	[/\btrue\b/, "false"],
	[/\bTrue\b/, "False"],
	[/ >= /, " < "],
	[/ > /, " <= "],
	[/ < /, " >= "],
	[/\bif \(!/, "if ("],
	[/\bif not /, "if "],
	[/ && /, " || "],
	[/ and /, " or "],
];

/** Texts of the product in each of which one line does something else, from the given lines outwards. At most `count`. */
export function mutations(text: string, near: readonly number[], count: number): Shortened[] {
	const lines = text.split("\n");
	const distance = (at: number) => Math.min(...near.map((line) => Math.abs(line - 1 - at)));
	const order = [...lines.keys()].toSorted((one, other) => distance(one) - distance(other));
	return order
		.filter((at) => !/^\s*(?:\/\/|\*|\/\*|#|import |from )|["'`].*["'`]/.test(lines[at] ?? ""))
		.flatMap((at) => {
			const line = lines[at] ?? "";
			const found = MUTATIONS.find(([pattern]) => pattern.test(line));
			if (found === undefined) return [];
			const other = line.replace(...found);
			return [{ text: lines.with(at, other).join("\n"), gone: other.trim() }];
		})
		.slice(0, count);
}

/** Statement that stands at a line: with the lines up to which its brackets close. */
function statementLength(lines: readonly string[], at: number): number {
	let open = 0;
	for (const [index, line] of lines.slice(at, at + 30).entries()) {
		for (const sign of line.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "")) {
			if ("([{".includes(sign)) open += 1;
			if (")]}".includes(sign)) open -= 1;
		}
		if (open <= 0) return open < 0 ? 0 : index + 1;
	}
	return 0;
}

const ASSERTS =
	/^\s*(?:await\s+)?(?:\w+\.)*(?:assert|expect|is|not|equal|deepEqual|same|ok|t|st|self)\b/;

/** The text without the statements that assert at these lines (from 1); undefined where one of them is no assertion. */
export function withoutAssertions(text: string, at: readonly number[]): string | undefined {
	let lines: readonly string[] = text.split("\n");
	for (const line of [...new Set(at)].toSorted((one, other) => other - one)) {
		const length = ASSERTS.test(lines[line - 1] ?? "") ? statementLength(lines, line - 1) : 0;
		if (length === 0) return;
		const indent = /^\s*/.exec(lines[line - 1] ?? "")?.[0] ?? "";
		// What a block of Python asserts may be all that it does.
		const instead = /^\s*(?:assert\s|self\.)/.test(lines[line - 1] ?? "") ? [`${indent}pass`] : [];
		lines = lines.toSpliced(line - 1, length, ...instead);
	}
	return lines.join("\n");
}

/** The innermost line of a test file that each failure in the output of a runner names. */
export function failedLines(
	output: string,
	tests: readonly string[],
): ReadonlyMap<string, number[]> {
	const found = new Map<string, number[]>();
	for (const file of tests) {
		const escaped = file.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
		const named = new RegExp(`${escaped}(?:", line |:)(\\d+)`, "g");
		const lines = [...output.matchAll(named)].map(([, line]) => Number(line));
		if (lines.length > 0) found.set(file, [...new Set(lines)]);
	}
	return found;
}
