/** True where each word of what is looked for is in one of the texts, in any case. */
export function isFound(wanted: string, texts: readonly string[]): boolean {
	const text = texts.join("\n").toLowerCase();
	return wanted
		.toLowerCase()
		.split(/\s+/)
		.every((word) => text.includes(word));
}
