import { pathProblem } from "../../workflow/relative-path.ts";

// `refused`: it contains `..` or a NUL character, is empty, or is in `.git`.
export type PlacedPath =
	| { readonly kind: "inside"; readonly path: string }
	| { readonly kind: "outside" }
	| { readonly kind: "refused" };

/**
 * Maps a path of a report into the checkout. Backslashes are separators.
 *
 * @example `placePath("/checkout/src/a.js", ["/checkout"])` is inside, as `src/a.js`
 */
export function placePath(raw: string, roots: readonly string[]): PlacedPath {
	const parts = raw.replaceAll("\\", "/").split("/");
	if (raw.includes("\0") || parts.includes("..")) return { kind: "refused" };
	const path = clean(parts);
	const isAbsolute = path.startsWith("/") || /^[A-Za-z]:/.test(path);
	const relative = isAbsolute ? belowRoot(path, roots) : path;
	if (relative === undefined) return { kind: "outside" };
	return pathProblem(relative) === undefined
		? { kind: "inside", path: relative }
		: { kind: "refused" };
}

function clean(parts: readonly string[]): string {
	const kept = parts.filter((part, index) => part !== "." && (part !== "" || index === 0));
	return kept.join("/");
}

function belowRoot(path: string, roots: readonly string[]): string | undefined {
	for (const root of roots) {
		const start = `${clean(root.replaceAll("\\", "/").split("/"))}/`;
		if (start !== "/" && path.startsWith(start)) return path.slice(start.length);
	}
	return undefined;
}
