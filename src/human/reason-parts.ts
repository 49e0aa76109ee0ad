/** A line about a conflict, and one about a critical finding that was raised in the same turn. */
const CONFLICT = /^Conflict about /;
const CRITICAL = /^Critical: (F[1-9]\d{0,8})\b/;

/** Findings that a short reason names; more are counted as `...`. */
const NAMED = 3;

/** Whether a part of a reason names a critical finding. */
export function isCriticalPart(part: string): boolean {
	return CRITICAL.test(part);
}

/**
 * The sentences of a reason, which has several where more than one conflict waits: each conflict, then each critical
 * finding, on a line of its own. A line that begins with neither goes on with the one before it. Any other reason is one
 * part, whatever its lines.
 *
 * @example `"Conflict about F1 (attempt 1): a\nConflict about F2 (attempt 3): b"` has two parts
 */
export function reasonParts(reason: string): readonly string[] {
	const text = reason.trim();
	if (!CONFLICT.test(text)) return [text];
	const parts: string[] = [];
	let isGrave = false;
	for (const line of text.split(/\r?\n/)) {
		// Conflicts come first: what looks like one below a critical finding are words of an agent.
		const begins = isCriticalPart(line) || (!isGrave && CONFLICT.test(line));
		isGrave ||= isCriticalPart(line);
		if (begins || parts.length === 0) parts.push(line);
		else parts.push([...parts.splice(-1), line].join("\n"));
	}
	return parts;
}

function criticalIds(parts: readonly string[]): string {
	const ids = [...new Set(parts.flatMap((part) => CRITICAL.exec(part)?.[1] ?? []))];
	if (ids.length === 0) return "";
	return `; critical: ${ids.slice(0, NAMED).join(", ")}${ids.length > NAMED ? ", ..." : ""}`;
}

/** A reason for one line: `first` may be cut to fit, `rest` is to stand behind it whole. */
export interface ShortReason {
	/** The first of several conflicts, else the whole reason, as it is. */
	readonly first: string;
	/** How many more conflicts there are, and which findings are critical; at most about 70 characters. */
	readonly rest: string;
}

/**
 * A reason for one line.
 *
 * @example two conflicts and a critical F3 give `rest` `"; and 1 more; critical: F3"`
 */
export function shortReason(reason: string): ShortReason {
	const [first = "", ...others] = reasonParts(reason);
	const more = others.filter((part) => !isCriticalPart(part)).length;
	const rest = `${more === 0 ? "" : `; and ${more} more`}${criticalIds(others)}`;
	return { first: rest === "" ? first : first.trimEnd().replace(/\.$/, ""), rest };
}
