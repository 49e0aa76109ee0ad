/** A floor of the two sides in metres. */
export function floor(width, length) {
	if (!(width > 0 && length > 0)) throw new RangeError("a floor has two sides above 0");
	return { width, length };
}
