/** A path in a text: with a slash, or a file name with an ending that code and configuration have. */
const PATH =
	/(?<![\w/.:-])(?:\.\/)?(?:[\w@.-]+\/)+[\w@.*-]*|(?<![\w/.:-])[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|cs|php|sql|proto|graphqls?|gql|ya?ml|toml|json)\b/g;

/** Longest text that is looked through, in UTF-16 code units. */
const LOOKED_THROUGH = 50_000;

/**
 * The paths that a text names, each once, without a leading `./`.
 *
 * @example `"change src/a.ts and ./db/"` gives `["src/a.ts", "db/"]`
 */
export function namedPaths(text: string): string[] {
	const found = text.slice(0, LOOKED_THROUGH).match(PATH) ?? [];
	return [...new Set(found.map((path) => path.replace(/^\.\//, "").replace(/\.+$/, "")))];
}
