/** "Substitute" in Unicode: so rare that nearly all texts are stored as they are. */
const MARK = "\u001a";

/**
 * A text as Postgres can hold it, which has no NUL: that becomes U+001A and `0`, and U+001A itself becomes U+001A and `1`.
 * Different texts stay different, so comparisons hold.
 *
 * @example `storedText("a\0b")` is `"a\u001a0b"`
 */
export function storedText(text: string): string {
	return text.replaceAll(MARK, `${MARK}1`).replaceAll("\0", `${MARK}0`);
}

/** What `storedText` was given. */
export function readText(stored: string): string {
	// In what is stored each mark is followed by its digit, so neither finds what is of the other.
	return stored.replaceAll(`${MARK}0`, "\0").replaceAll(`${MARK}1`, MARK);
}
