/** US dollars for people: `"$0.42"`, four decimals below ten cents (`"$0.0045"`), at least `"<$0.0001"`. */
export function formatUsd(usd: number): string {
	if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
	return usd < 0.0001 ? "<$0.0001" : `$${usd.toFixed(4)}`;
}

/** Sums of cents in floating point miss their limit by less than this, in dollars. */
export const SLACK_USD = 1e-9;
