import { fieldsOf } from "../kernel/fields.ts";
import type { AgentFailure } from "../kernel/roles.ts";

export interface FailureHint {
	readonly status?: number | undefined;
	readonly text: string;
	readonly retryAfterMs?: number | undefined;
}

type FailurePatterns = readonly (readonly [AgentFailure, RegExp])[];

// Failures of the request itself, or of the caller's account.
const LASTING: FailurePatterns = [
	[
		"context_limit",
		/context[ _](?:length|window|limit)|prompt (?:is )?too long|too many tokens|maximum (?:context|number of tokens)|input token count|exceeds? the (?:maximum|model's)|request_too_large|ContextWindow|ContextOverflow|MAX_TOKENS/i,
	],
	[
		"content_policy",
		/content[ _-](?:policy|filter)|usage polic|safety (?:system|filter|block)|prohibited[ _]content|(?:was|been) flagged|refus(?:al|ed to answer)|RECITATION|BLOCKLIST/i,
	],
	[
		"quota_exhausted",
		/insufficient[ _]quota|exceeded your current quota|quota (?:exceeded|exhausted)|credit balance|billing[ _](?:error|details|hard|not)|out of credits|usage limit|(?:hit|reached) (?:your|the) [^.]{0,40}limit|spend(?:ing)? limit|limit (?:will )?resets?|daily limit|payment required/i,
	],
	[
		"signed_out",
		/\/login\b|not (?:logged|signed) in|(?:log|sign) ?in (?:again|required)|(?:invalid|incorrect|missing|expired) (?:x-)?(?:api[ _-]?key|bearer|credentials|authentication)|api[ _-]?key (?:is )?(?:not valid|invalid|missing|expired)|API_KEY_INVALID|unauthori[sz]ed|unauthenticated|authentication[_ ](?:error|failed|required)|failed to authenticate/i,
	],
];

// Failures that may pass by themselves.
const PASSING: FailurePatterns = [
	["rate_limit", /rate[ _-]?limit|too many requests|resource[ _]exhausted|\b429\b/i],
	["timeout", /timed? ?out|deadline[ _]exceeded|ETIMEDOUT/i],
	[
		"unavailable",
		/overloaded|high demand|unavailable|internal server error|bad gateway|\b(?:50[0-4]|529)\b|server[ _]error/i,
	],
	[
		"network",
		/ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|socket hang up|fetch failed|network|(?:unable|failed) to connect|connection (?:error|closed|refused|reset)|stream (?:disconnected|closed|ended)/i,
	],
];

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** A limit that is lifted again within seconds: `tokens per min (TPM)`, `GenerateRequestsPerMinutePerProject`. */
const SHORT_LIMIT = /[Pp]er[ _-]?(?:[Mm]inute|[Ss]econd|min\b|sec\b)|\b[RT]P[MS]\b/;

// Google asks to wait for seconds even when a day's quota is spent.
const SPENT_FOR_LONG =
	/[Pp]er[ _-]?[Dd]ay|daily|insufficient[ _]quota|credit balance|out of credits|spend(?:ing)? limit|payment required/i;

const SHORT_WAIT_MS = 600_000;

function wait({ text, retryAfterMs }: FailureHint): number | undefined {
	return retryAfterMs ?? retryAfterIn(text);
}

function isShort(hint: FailureHint): boolean {
	if (SPENT_FOR_LONG.test(hint.text)) return false;
	return SHORT_LIMIT.test(hint.text) || (wait(hint) ?? Number.POSITIVE_INFINITY) <= SHORT_WAIT_MS;
}

const firstOf = (said: FailurePatterns, text: string): AgentFailure | null =>
	said.find(([, words]) => words.test(text))?.[0] ?? null;

function byStatus(status: number | undefined): AgentFailure {
	if (status === undefined) return "unknown";
	if (status === 401) return "signed_out";
	if (status === 402) return "quota_exhausted";
	if (status === 408) return "timeout";
	if (status === 413) return "context_limit";
	if (status === 429) return "rate_limit";
	return status >= 500 ? "unavailable" : "unknown";
}

/**
 * Maps a provider's answer to the closed set. Text comes before status, since one status stands for several: 429 is
 * also a spent quota, 400 also a prompt that is too long, 403 also a caller that is not signed in. A limit per minute or second, and one that is lifted within
 * 10 minutes, is `rate_limit`, whatever it is called. Not for the last
 * words of a program that crashed; see `crashOf`.
 *
 * @example `failureOf({ status: 429, text: "insufficient_quota" })` is `"quota_exhausted"`
 */
export function failureOf(hint: FailureHint): AgentFailure {
	const { status, text } = hint;
	if (status === 429 && isShort(hint)) return "rate_limit";
	const lasting = firstOf(LASTING, text);
	if (lasting === "quota_exhausted" && status === undefined && isShort(hint)) return "rate_limit";
	if (lasting !== null) return lasting;
	const passing = firstOf(PASSING, text);
	const refused =
		status !== undefined && status >= 300 && status < 500 && !PASSING_STATUSES.has(status);
	// What a refused caller is told may well contain the words of a failure that passes.
	const counts = passing === "rate_limit" || !refused;
	return passing !== null && counts ? passing : byStatus(status);
}

/**
 * Recognises a failure that may pass in the last words of a program that crashed. They are lines such as `Cannot find
 * module 'billing'` and `panic: refusal.go:7`, so no word in them proves a spent quota or a refusal.
 */
export function crashOf(text: string): AgentFailure | null {
	return firstOf(PASSING, text);
}

/** Tells whether the last words of a program that gave up say that nobody is signed in. */
export function saysSignedOut(text: string): boolean {
	return firstOf(LASTING, text) === "signed_out";
}

/**
 * A provider's failure, and how long to wait before the next try where a header, a field or its words tell that.
 *
 * @example `providerFailure({ status: 429, text: "try again in 20s" })` is a `rate_limit` with 20000 ms
 */
export function providerFailure(hint: FailureHint): {
	readonly failure: AgentFailure;
	readonly retryAfterMs?: number | undefined;
} {
	return { failure: failureOf(hint), retryAfterMs: wait(hint) };
}

const UNITS_MS: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

const PART =
	/(\d{1,9}(?:\.\d{1,9})?)\s?(ms|milliseconds?|s(?:ec(?:onds?)?)?|m(?:in(?:utes?)?)?|h(?:ours?)?|d(?:ays?)?)(?![a-z])/gi;

const RETRY_INFO = /retryDelay\\?"\s?:\s?\\?"(\d{1,9}(?:\.\d{1,9})?)s/;

/**
 * Reads how long a provider's words ask to wait.
 *
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

const inMs = (value: string, unit: number): number | undefined => {
	const ms = Math.round(Number(value) * unit);
	return value.trim() !== "" && Number.isFinite(ms) && ms >= 0 ? ms : undefined;
};

/** Reads how long headers of any shape ask to wait: seconds, a date if the time is given, or exact milliseconds. */
export function retryAfterHeader(headers: unknown, now?: number): number | undefined {
	const values = new Map(
		Object.entries(fieldsOf(headers)).map(([name, value]) => [
			name.toLowerCase(),
			typeof value === "string" || typeof value === "number" ? String(value) : "",
		]),
	);
	const [exact = "", wait = ""] = ["retry-after-ms", "retry-after"].map((name) => values.get(name));
	// A number that is no wait would be read as a year.
	const date = now !== undefined && /[a-z]/i.test(wait) ? Date.parse(wait) - now : Number.NaN;
	const until = Number.isNaN(date) ? undefined : Math.max(0, date);
	return inMs(exact, 1) ?? inMs(wait, 1_000) ?? until;
}
