import type { Line } from "./vanished.ts";

/**
 * Added lines of data by which what was there may be read otherwise: a value of JSON that no longer stands at its place, or
 * twice; a row whose quotation marks do not end; a line that goes on in one that stays.
 */
export function actingRows(path: string, base: string, head: string): Line[] {
	const [before, after] = [base.split(/\r?\n/), head.split(/\r?\n/)];
	const had = new Set(before);
	const isJson = /\.json$/i.test(path);
	const isOther = isJson && !holdsAll(base, head);
	return after.flatMap((text, at) => {
		if (had.has(text) || text.trim() === "") return [];
		const goesOn = text.endsWith("\\") && had.has(after[at + 1] ?? "");
		const isOpen = !isJson && (text.split('"').length - 1) % 2 === 1 && ROWS.test(path);
		return isOther || goesOn || isOpen ? [{ number: at + 1, text: text.trim() }] : [];
	});
}

const ROWS = /\.(?:[ct]sv|tab|psv|dsv)$/i;

/** Tells whether a text of JSON has all that another has, and no key twice. */
function holdsAll(base: string, head: string): boolean {
	const [old, fresh] = [parsed(base), parsed(head)];
	if (old === undefined || fresh === undefined) return old === fresh;
	const keys = [...head.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(
		([, sign]) => sign !== undefined,
	);
	return keys.length === keysIn(fresh) && isWithin(old, fresh);
}

const DEEPEST = 500;

function isDeep(text: string): boolean {
	let depth = 0;
	for (const [sign] of text.matchAll(/[[\]{}]/g)) {
		depth += sign === "[" || sign === "{" ? 1 : -1;
		if (depth > DEEPEST) return true;
	}
	return false;
}

function parsed(text: string): unknown {
	if (isDeep(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isWithin(old: unknown, fresh: unknown): boolean {
	if (Array.isArray(old)) {
		if (!Array.isArray(fresh)) return false;
		let at = 0;
		for (const one of fresh) if (at < old.length && isWithin(old[at], one)) at += 1;
		return at === old.length;
	}
	if (!isRecord(old)) return old === fresh;
	return isRecord(fresh) && Object.keys(old).every((key) => isWithin(old[key], fresh[key]));
}

function keysIn(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	const parts = Object.values(value);
	const own = Array.isArray(value) ? 0 : parts.length;
	return parts.reduce<number>((sum, part) => sum + keysIn(part), own);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
