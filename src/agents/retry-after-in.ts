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

/** Of Google's error bodies (`google.rpc.RetryInfo`), which may stand in a text of JSON themselves. */
const RETRY_INFO = /retryDelay\\?"\s?:\s?\\?"(\d{1,9}(?:\.\d{1,9})?)s/;

/**
 * How long a provider's words ask to wait before the next try.
 *
 * @returns ms; undefined when they ask for nothing
 * @example `retryAfterIn("Please try again in 1.5s.")` is 1500, and so it is for `"retryDelay":"1.5s"`
 */
export function retryAfterIn(text: string): number | undefined {
	const [, delay] = RETRY_INFO.exec(text) ?? [];
	if (delay !== undefined) return Math.round(Number(delay) * 1_000);
	const [, asked = ""] = /(?:try again|retry) in ([^,;:!?]{1,80})/i.exec(text) ?? [];
	const [sentence = ""] = asked.split(/\.\s/);
	let total: number | undefined;
	for (const [, count, unit] of sentence.matchAll(PART)) {
		const short = unit?.toLowerCase() ?? "";
		const ms = UNITS_MS[/^(?:ms|milli)/.test(short) ? "ms" : short.charAt(0)] ?? 0;
		total = (total ?? 0) + Math.round(Number(count) * ms);
	}
	return total;
}
