import { pathProblem } from "../../workflow/relative-path.ts";

/**
 * Maps a path of a report into the checkout. Backslashes are separators. Undefined: it is outside, contains `..` or a NUL
 * character, is empty, or is in `.git`.
 *
 * @example `placePath("/checkout/src/a.js", ["/checkout"])` is `src/a.js`
 */
export function placePath(raw: string, roots: readonly string[]): string | undefined {
	const parts = raw.replaceAll("\\", "/").split("/");
	if (raw.includes("\0") || parts.includes("..")) return undefined;
	const path = clean(parts);
	const isAbsolute = path.startsWith("/") || /^[A-Za-z]:/.test(path);
	const relative = isAbsolute ? belowRoot(path, roots) : path;
	return relative === undefined || pathProblem(relative) !== undefined ? undefined : relative;
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
