/**
 * An amount of US dollars for people: two decimals, four below ten cents, where cents would say nothing.
 *
 * @param usd 0 or more
 * @example `formatUsd(0.42)` is `"$0.42"`, `formatUsd(0.0045)` is `"$0.0045"`, `formatUsd(0.00001)` is `"<$0.0001"`
 */
export function formatUsd(usd: number): string {
	if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
	return usd < 0.0001 ? "<$0.0001" : `$${usd.toFixed(4)}`;
}

/** Sums of cents in floating point miss their limit by less than this, in dollars. */
export const SLACK_USD = 1e-9;
