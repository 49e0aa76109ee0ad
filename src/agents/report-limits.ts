/** Bytes of a report's file. */
export const MAX_REPORT_BYTES: number = 4 * 1024 * 1024;

const MAX_ITEMS = 1_000;
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 32;

interface Place {
	readonly value: unknown;
	readonly path: string;
	readonly depth: number;
}

function limitBroken({ value, path, depth }: Place): string | null {
	const where = path === "" ? "the report" : path;
	if (typeof value === "string" && value.length > MAX_CHARACTERS) {
		return `${where} has ${value.length} characters; the limit is ${MAX_CHARACTERS}`;
	}
	if (Array.isArray(value) && value.length > MAX_ITEMS) {
		return `${where} has ${value.length} items; the limit is ${MAX_ITEMS}`;
	}
	return depth > MAX_DEPTH ? `${where} is nested deeper than ${MAX_DEPTH} levels` : null;
}

function inside({ value, path, depth }: Place): Place[] {
	if (Array.isArray(value)) {
		return value.map((item: unknown, index) => ({
			value: item,
			path: `${path}[${index}]`,
			depth: depth + 1,
		}));
	}
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).map(([key, item]: [string, unknown]) => ({
		value: item,
		path: path === "" ? key.slice(0, 80) : `${path}.${key.slice(0, 80)}`,
		depth: depth + 1,
	}));
}

/**
 * Whether a report is larger than anybody would read: a text of more than 4 MiB, or a parsed value that holds a list
 * of more than 1,000 items, a text of more than 100,000 characters, or more than 32 levels.
 *
 * @param report the whole text before it is parsed, or the parsed value
 * @returns a sentence that names the place and the limit; null when it fits
 */
export function oversized(report: unknown): string | null {
	if (typeof report === "string" && Buffer.byteLength(report) > MAX_REPORT_BYTES) {
		return `the report is larger than 4 MiB`;
	}
	if (typeof report === "string") return null;
	// A list of places still to be seen, not recursion: hostile nesting would overflow the stack.
	const open: Place[] = [{ value: report, path: "", depth: 0 }];
	for (let place = open.pop(); place !== undefined; place = open.pop()) {
		const broken = limitBroken(place);
		if (broken !== null) return broken;
		for (const next of inside(place)) open.push(next);
	}
	return null;
}
