/**
 * A sum of counts or costs, which is known when there is a part and each is.
 *
 * @example `sumKnown([1, 2])` is 3, `sumKnown([1, null])` is null
 */
export function sumKnown(parts: readonly (number | null)[]): number | null {
	let total = 0;
	for (const part of parts) {
		if (part === null) return null;
		total += part;
	}
	return parts.length === 0 ? null : total;
}
