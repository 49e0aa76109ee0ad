/** The oldest Node that Sparring runs on. */
export const NODE_NEEDED: string = "24.11";

/** Whether a version of Node is 24.11 or newer: true for `"24.21.0"`, false for `"24.9.0"`. */
export function nodeIsNewEnough(version: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major > 24 || (major === 24 && minor >= 11);
}
