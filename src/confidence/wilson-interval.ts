/** Both ends from 0.0 to 1.0. */
export interface Interval {
	readonly low: number;
	readonly high: number;
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959964;

/**
 * 95 % confidence interval of a share, by Wilson's score method (1927): unlike the textbook interval it stays within
 * [0, 1] and says something for few cases and for shares of 0 and 1.
 *
 * @param hits whole number from 0 to `count`
 * @param count 1 or more
 * @example `wilsonInterval(8, 10)` is about 0.490 to 0.943
 */
export function wilsonInterval(hits: number, count: number): Interval {
	const share = hits / count;
	const spread = Z ** 2 / count;
	const centre = (share + spread / 2) / (1 + spread);
	const half = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
	// At the ends the formula gives exactly 0 and 1; the arithmetic misses them by a last digit.
	return { low: hits === 0 ? 0 : centre - half, high: hits === count ? 1 : centre + half };
}
