import { idsOf } from "../../checks/uncounted.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import { counted } from "../../kernel/counted.ts";
import { sha256 } from "../../kernel/json.ts";
import { corrupted, corruptions, type WrongValue } from "../../wall/canary/corrupt.ts";
import type { SourceText, TreeReader } from "../../wall/language/language.ts";
import type { Sides } from "../../wall/reading/sides.ts";
import { isAmongTests, isCode } from "../../wall/reading/test-places.ts";
import { noticing, passing } from "../../wall/replay/noticing.ts";

export interface WrongValuesRequest {
	/** The base's files on the tests' side. */
	readonly texts: ReadonlyMap<string, string>;
	readonly sides: Sides;
	readonly trees: TreeReader;
	/** Of the work. */
	readonly tree: string;
	/** The check on the base; null where nothing in it can be compared. */
	readonly before: Evidence | null;
	/** The base's tests on the product as they are. */
	readonly lone: Evidence;
	/** Number of wrong values that are enough where cases have no names. */
	readonly enough: number;
	/** Runs the base's tests on the product, or on the base, with some files changed. */
	readonly run: (
		on: "product" | "base",
		files: readonly Pick<SourceText, "path" | "text">[],
	) => Promise<Evidence>;
}

export interface NoticedValues {
	/** Sentences about wrong values that the product's run noticed. */
	readonly heard: readonly string[];
	/** Wrong values that it does not notice, although the base's does. */
	readonly silent: Pick<Evidence, "reason" | "details"> | null;
}

const MAX_TRIES = 4;
const MAX_NAMED = 10;

// With all expected values of the code wrong at once, else with those of its data, each case has to notice its own. Where
// cases have no names, the check has to notice some, one by one. The base's own run of the same change is the control: what
// does not turn red there says nothing. Where the base has nothing to compare with, the check has to notice that all are wrong.
export async function noticedValues(request: WrongValuesRequest): Promise<NoticedValues> {
	const { before, lone, enough } = request;
	const values = await valuesIn(request);
	const isNamed = before?.cases != null && lone.cases !== null;
	const heard: string[] = [];
	const wanted = isNamed ? 1 : enough;
	for (const wrong of setsOf(values, request, isNamed)) {
		if (heard.length >= wanted) break;
		const { isHeard, silent } = await tried(
			request,
			wrong,
			isNamed ? idsOf(before.cases, "passed") : [],
		);
		if (silent !== null) return { heard, silent: toldOf(wrong, silent, before !== null) };
		if (isHeard) heard.push(`the check fails when ${areWrong(wrong)}`);
	}
	return { heard, silent: null };
}

function setsOf(
	values: readonly WrongValue[],
	{ before, tree }: WrongValuesRequest,
	isNamed: boolean,
): (readonly WrongValue[])[] {
	if (before !== null && !isNamed) return chosen(values, tree);
	// A wrong word of data may keep all tests from running.
	const sets = isNamed
		? [true, false].map((inCode) => values.filter(({ path }) => isCode(path) === inCode))
		: [values];
	return sets.filter(({ length }) => length > 0);
}

interface TriedValues {
	readonly isHeard: boolean;
	/** Cases that do not notice, although they do on the base; empty for the check as a whole. */
	readonly silent: readonly string[] | null;
}

async function tried(
	{ texts, before, run }: WrongValuesRequest,
	wrong: readonly WrongValue[],
	ids: readonly string[],
): Promise<TriedValues> {
	const files = corrupted(wrong, texts);
	const now = await run("product", files);
	const isHeard = now.status !== "pass";
	const green = passing(ids, now);
	if (isHeard && green.length === 0) return { isHeard, silent: null };
	if (before !== null) {
		const silent = silentIn(await run("base", files), before, green);
		// What is red on the base by chance is no control.
		const again = silent && silentIn(await run("base", files), before, silent);
		return { isHeard, silent: again };
	}
	// Values tell nothing in files that the check does not read.
	const unreadable = [...texts.keys()].map((path) => ({ path, text: ")(\n" }));
	const isRead = (await run("product", unreadable)).status !== "pass";
	return { isHeard, silent: isRead ? [] : null };
}

async function valuesIn({
	texts,
	sides,
	trees,
}: WrongValuesRequest): Promise<readonly WrongValue[]> {
	const files = [...texts].map(([path, text]) => ({ path, text }));
	const read = await trees(files);
	const all = files.map((file, at) => ({ ...file, tree: read[at] ?? null }));
	const inTests = corruptions(
		all,
		files.some(({ path }) => isTestFile(path)),
	);
	if (inTests.length > 0) return inTests;
	const isData = (path: string): boolean => sides.tests.get(path) === "read" || isAmongTests(path);
	return corruptions(
		all.filter(({ path }) => isData(path)),
		true,
	);
}

// In an order that the work's tree gives: whoever writes it knows the order when nothing can be changed any more.
function chosen(values: readonly WrongValue[], tree: string): WrongValue[][] {
	const keyed = values.map((value) => {
		return { value, key: sha256(`${tree} ${value.path} ${value.splice.start}`) };
	});
	const sorted = keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
	return sorted.slice(0, MAX_TRIES).map(({ value }) => [value]);
}

/** Cases that notice on the base what they do not on the product; none where cases have no names. */
function silentIn(
	onBase: Evidence,
	before: Evidence,
	green: readonly string[],
): readonly string[] | null {
	const red = noticing(onBase, before);
	if (red === null || green.length === 0) return red;
	const silent = red.filter((id) => green.includes(id));
	return silent.length === 0 ? null : silent;
}

function areWrong(wrong: readonly WrongValue[]): string {
	const [first] = wrong;
	return wrong.length === 1
		? `an expected value is wrong (${first?.path}:${first?.line})`
		: `${counted(wrong.length, "expected value")} are wrong`;
}

function toldOf(
	wrong: readonly WrongValue[],
	cases: readonly string[],
	hasControl: boolean,
): NoticedValues["silent"] {
	const what = cases.length > 0 ? counted(cases.length, "test") : "the check";
	const verb = cases.length > 1 ? "pass" : "passes";
	const control = hasControl ? ", and not on the base" : "";
	const reason = `${what} ${verb} on this product although ${areWrong(wrong)}${control}`;
	return { reason, details: cases.slice(0, MAX_NAMED) };
}
