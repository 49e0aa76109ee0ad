/**
 * A title as a part of an address: "Two words" gives "two-words".
 *
 * @param {string} title
 * @returns {string}
 */
export function slug(title) {
	return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/**
 * How long a text takes to read, in whole minutes, at 200 words a minute.
 *
 * @param {string} text
 * @returns {number}
 */
export function readingMinutes(text) {
	return Math.round(text.split(" ").length / 200);
}
