/**
 * Of an answer that shows state: the id of the newest event that it can have seen. A stream that starts `after` it misses
 * nothing.
 */
export interface AsOf {
	readonly cursor: number;
}
