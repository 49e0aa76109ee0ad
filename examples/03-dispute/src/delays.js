/**
 * How long to wait before each retry, in ms.
 *
 * @param {number} retries
 * @returns {number[]}
 */
export function delays(retries) {
	return Array.from({ length: retries }, () => 1000);
}
