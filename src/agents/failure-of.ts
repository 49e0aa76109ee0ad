import type { AgentFailure } from "../kernel/roles.ts";

/** What a provider or a harness said about a call that failed. */
export interface FailureHint {
	/** HTTP status of the provider, when one was told. */
	readonly status?: number | undefined;
	/** Whatever it said, in its own words: code, type and message. */
	readonly text: string;
}

/** By what providers and harnesses say. The order decides: a spent quota also comes as a rate limit. */
const SAID: readonly (readonly [AgentFailure, RegExp])[] = [
	[
		"context_limit",
		/context[ _](?:length|window|limit)|prompt (?:is )?too long|too many tokens|maximum (?:context|number of tokens)|input token count|exceeds? the (?:maximum|model's)|request_too_large|ContextWindow|ContextOverflow|MAX_TOKENS/i,
	],
	[
		"content_policy",
		/content[ _-](?:policy|filter)|usage polic|safety (?:system|filter|block)|prohibited[ _]content|flagged|refus(?:al|ed to answer)|RECITATION|BLOCKLIST/i,
	],
	[
		"quota_exhausted",
		/insufficient[ _]quota|exceeded your current quota|quota (?:exceeded|exhausted)|credit balance|billing|out of credits|usage limit|(?:hit|reached) (?:your|the) [^.]{0,40}limit|spend(?:ing)? limit|limit (?:will )?resets?|daily limit|payment required/i,
	],
	[
		"rate_limit",
		/rate[ _-]?limit|too many requests|resource[ _]exhausted|\b429\b|overloaded|\b529\b/i,
	],
	["timeout", /timed? ?out|deadline[ _]exceeded|ETIMEDOUT/i],
	[
		"network",
		/ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|socket hang up|fetch failed|network|connection (?:error|closed|refused|reset)|stream (?:disconnected|closed|ended)|high demand|unavailable|internal server error|bad gateway|\b50[0-4]\b|server[ _]error/i,
	],
];

/** A provider that refuses the caller: no repetition helps. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * Which failure of the closed set a provider's answer is. Text comes before status, since one status stands for
 * several: 429 is also a spent quota, 400 also a prompt that is too long. 401 and 403 are `unknown`: no repetition helps.
 *
 * @returns `unknown` when nothing is recognised
 * @example `failureOf({ status: 429, text: "insufficient_quota" })` is `"quota_exhausted"`
 */
export function failureOf({ status, text }: FailureHint): AgentFailure {
	const refused = status !== undefined && REFUSED.has(status);
	for (const [failure, said] of SAID) {
		const fits = said.test(text);
		// What a refused caller is told may well contain the words of a failure that passes.
		if (fits && !(refused && (failure === "network" || failure === "timeout"))) return failure;
	}
	if (status === undefined || refused) return "unknown";
	if (status === 402) return "quota_exhausted";
	if (status === 408) return "timeout";
	if (status === 413) return "context_limit";
	if (status === 429 || status === 529) return "rate_limit";
	return status >= 500 ? "network" : "unknown";
}
