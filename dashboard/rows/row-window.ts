export interface RowWindow {
	/** Index of the first drawn row. */
	readonly first: number;
	/** Index after the last drawn row. */
	readonly end: number;
}

export interface Scrolled {
	readonly top: number;
	readonly height: number;
	readonly rowHeight: number;
}

/**
 * The rows in view with `spare` more on either side, so that a small scroll draws nothing new.
 *
 * 1,000 rows of 20 px, scrolled by 400 px in a box of 200 px, with 5 spare: rows 15 to 34.
 */
export function rowWindow(
	count: number,
	{ top, height, rowHeight }: Scrolled,
	spare: number,
): RowWindow {
	const seen = Math.floor(Math.max(0, top) / rowHeight);
	const last = Math.ceil((Math.max(0, top) + height) / rowHeight);
	const end = Math.min(count, last + spare);
	return { first: Math.max(0, Math.min(seen - spare, end)), end };
}

/**
 * How far to scroll so that a row is in view; as little as is needed, and not at all for a row that is.
 *
 * @param lead with one, a row out of view comes so many rows below the top
 * @returns the new scroll offset from the top, in CSS pixels
 */
export function scrollFor(row: number, { top, height, rowHeight }: Scrolled, lead = 0): number {
	const above = row * rowHeight;
	const below = above + rowHeight;
	if (above >= top && below <= top + height) return top;
	if (lead > 0) return Math.max(0, above - lead * rowHeight);
	return above < top ? above : below - height;
}
