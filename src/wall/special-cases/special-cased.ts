import {
	argumentsOf,
	type Choice,
	type Group,
	type Literal,
	standTogether,
	toldTogether,
} from "../language/choice.ts";

export interface Knowledge {
	readonly ofTests: ReadonlySet<Literal>;
	readonly groups: readonly Group[];
	readonly told: string;
}

/**
 * Lines that single out values of the tests: values that stand in the tests, and neither in the product at the base nor
 * in the task, and that are no such value as any program may know.
 *
 * A comparison with one telling value is enough, or with the word that begins or ends an example of several words. Of a list half must be telling, or all of them from the tests; of an entry
 * of a map both sides, as a table of the product's own has other values. Values that are asked for at once need not be
 * telling where they are the arguments of one call in the tests.
 */
export function specialCased(
	choices: readonly Choice[],
	{ ofTests, groups, told }: Knowledge,
): number[] {
	const words = new Set(told.match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu));
	const isTold = (value: Literal): boolean =>
		typeof value === "number" ? words.has(String(value)) : told.includes(value);
	const isNew = (value: Literal): boolean => ofTests.has(value) && !isTold(value);
	const isNewAndTelling = (value: Literal): boolean => isNew(value) && isTelling(value);
	const ofList = (values: readonly Literal[]): boolean =>
		(values.every(isNew) && values.some(isMarked)) ||
		values.filter(isNewAndTelling).length * 2 >= values.length;
	const ofCall = (values: readonly Literal[]): boolean =>
		standTogether(values, groups) && !toldTogether(values, told);
	const ofRow = (row: readonly Literal[]): boolean => {
		const args = argumentsOf(row, groups);
		return args !== null && !toldTogether(args, told);
	};
	const fires = (choice: Choice): boolean => {
		const { values, form } = choice;
		if (form === "list") return ofList(values);
		if (form === "conjunction") return ofCall(values);
		return form === "row" ? ofRow(values) : ofOne(choice);
	};
	const ofOne = ({ values: [value], result, form }: Choice): boolean => {
		if (value === undefined) return false;
		if (form === "entry") return isNewAndTelling(value) && isGiven(result, ofTests);
		if (isNewAndTelling(value)) return true;
		if (isTold(value)) return false;
		return form === "start" || form === "end"
			? isWordOf(value, form, ofTests)
			: isScaled(value, result, ofTests);
	};
	return [...new Set(choices.filter(fires).map(({ line }) => line))].sort((a, b) => a - b);
}

function isWordOf(value: Literal, side: "start" | "end", ofTests: ReadonlySet<Literal>): boolean {
	if (typeof value !== "string" || !/^[\p{L}\p{N}]{3,}\s?$/u.test(value.trimStart())) return false;
	const word = value.trim();
	for (const text of ofTests) {
		if (typeof text !== "string" || text.length <= word.length) continue;
		const words = text.trim().split(/\s+/, 100);
		if (words.length > 1 && words.at(side === "start" ? 0 : -1) === word) return true;
	}
	return false;
}

function isGiven(result: Literal | null, ofTests: ReadonlySet<Literal>): boolean {
	if (result === null || !ofTests.has(result)) return false;
	return typeof result === "string" ? result.length > 1 : Math.abs(result) > 1;
}

/** Seconds of milliseconds, and cents of an amount: the product may see a value of the tests in another unit. */
const UNITS = [1, 60, 100, 1_000];

function isScaled(value: Literal, result: Literal | null, ofTests: ReadonlySet<Literal>): boolean {
	if (typeof value !== "number" || value < 10 || typeof result !== "number") return false;
	return isGiven(result, ofTests) && UNITS.some((unit) => ofTests.has(value * unit));
}

/** Numbers that many programs know: sizes, times, angles, and what is round. */
const USUAL = new Set(
	[
		12, 16, 24, 25, 32, 48, 60, 64, 75, 90, 99.9, 120, 127, 128, 180, 255, 256, 360, 365, 366,
	].concat([512, 1024, 2048, 4096, 3600, 8080, 65_535, 65_536, 86_400, 1440, 1900, 1970, 2000]),
);

/** Tells whether a value is so particular that only who knows the tests would compare with it. */
function isTelling(value: Literal): boolean {
	if (typeof value === "string") return value.length > 2 && !PLAIN.test(value);
	if (!Number.isInteger(value)) return !USUAL.has(value) && String(value).length > 3;
	return value > 10 && !USUAL.has(value) && String(value).replace(/0+$/, "").length > 1;
}

/** Words, names, constants, extensions, paths, patterns of dates: what programs compare with. */
const PLAIN =
	/^[\p{Lu}]?[\p{Ll}\d]+(?:[-_:/.][\p{Ll}\d]+)?$|^[\p{Ll}][\p{L}\d]*$|^[\p{Lu}\d]+(?:_[\p{Lu}\d]+)*$|^[^\p{L}\p{N}]+$|^[./#@:-]+[\w-]+[:/]?$|^[\w-]+[:/=(]+$|^[\w.+-]+\/[\w.+-]+$|^--?[\w-]+=?$/u;

const LISTED =
	/^(?:GET|POST|PUT|HEAD|PATCH|DELETE|OPTIONS|TRACE|CONNECT|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|NULL|NONE|TRUE|FALSE|E[A-Z]{4,})$/;

function isMarked(value: Literal): boolean {
	if (isTelling(value)) return true;
	return typeof value === "string" && /^[\p{Lu}\d]{4,}$/u.test(value) && !LISTED.test(value);
}
