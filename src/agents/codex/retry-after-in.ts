const UNITS_MS: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** One number with its unit, in the short and the long form. */
const PART =
	/(\d{1,9}(?:\.\d{1,9})?)\s?(ms|milliseconds?|s(?:ec(?:onds?)?)?|m(?:in(?:utes?)?)?|h(?:ours?)?|d(?:ays?)?)(?![a-z])/gi;

/**
 * How long a message asks to wait before the next try.
 *
 * @returns ms; undefined when it asks for nothing
 * @example `retryAfterIn("Please try again in 1.5s.")` is 1500
 */
export function retryAfterIn(text: string): number | undefined {
	const [, asked] = /try again in ([^,;:!?]{1,80})/i.exec(text) ?? [];
	let total: number | undefined;
	for (const [, count, unit] of (asked ?? "").matchAll(PART)) {
		const short = unit?.toLowerCase() ?? "";
		const ms = UNITS_MS[/^(?:ms|milli)/.test(short) ? "ms" : short.charAt(0)] ?? 0;
		total = (total ?? 0) + Math.round(Number(count) * ms);
	}
	return total;
}
