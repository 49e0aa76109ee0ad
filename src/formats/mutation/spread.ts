/** At most `limit` of a list, spread over it evenly: the first of each stretch. */
export function spread<T>(all: readonly T[], limit: number): T[] {
	if (all.length <= limit) return [...all];
	return Array.from({ length: limit }, (_none, index) =>
		all.slice(Math.floor((index * all.length) / limit)),
	).flatMap(([first]) => (first === undefined ? [] : [first]));
}

/**
 * A list in an order whose beginnings are spread over it, so that work which stops early has looked at all of it.
 *
 * @example `[1, 2, 3, 4, 5]` gives `[1, 3, 2, 4, 5]`
 */
export function coarseFirst<T>(all: readonly T[]): T[] {
	const ordered = new Set<T>();
	for (let count = 1; count < all.length; count *= 2)
		for (const one of spread(all, count)) ordered.add(one);
	return [...ordered, ...all.filter((one) => !ordered.has(one))];
}
