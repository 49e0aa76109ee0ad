/** Modules whose functions assert under whatever name a file gives them. */
const LIBRARIES =
	/^(?:node:assert(?:\/strict)?|assert(?:\/strict)?|chai|uvu\/assert|expect|should|power-assert|tape|@std\/assert|jsr:@std\/assert)$/;

const IMPORT = /\bimport\s+([^;"']*?)\s+from\s+["']([^"']+)["']/g;
const REQUIRE = /\b(?:const|let|var)\s+([^=;]+?)\s*=\s*require\s*\(\s*["']([^"']+)["']\s*\)/g;

/**
 * Local names that a JavaScript or TypeScript file gives to assertion functions: default, namespace and named imports,
 * and those taken from `require`.
 *
 * @example `import a, { equal as eq } from "node:assert"` gives `["a", "eq"]`
 */
export function assertionNames(text: string): string[] {
	const names = new Set<string>();
	for (const pattern of [IMPORT, REQUIRE]) {
		for (const [, clause = "", module = ""] of text.matchAll(pattern)) {
			if (LIBRARIES.test(module)) for (const name of boundNames(clause)) names.add(name);
		}
	}
	return [...names];
}

/** `a, { b as c, d: e }` binds `a`, `c` and `e`; `* as n` binds `n`. */
function boundNames(clause: string): string[] {
	return clause
		.split(/[{},]/)
		.map(
			(part) =>
				part
					.trim()
					.split(/\s+as\s+|\s*:\s*/)
					.at(-1) ?? "",
		)
		.filter((name) => /^[\w$]+$/.test(name) && name !== "type");
}
