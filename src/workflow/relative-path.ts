import { posix, win32 } from "node:path";

/**
 * Finds why a path cannot name a file inside a checkout: absolute ones (of any system), those that climb out, the
 * checkout itself, and git's own folder. Looks at the text only. `pathProblem("../secret")` is `"must stay inside the
 * checkout"`.
 */
export function pathProblem(path: string): string | undefined {
	if (path.trim() === "") return "must not be empty";
	if (path.includes("\0")) return "must not contain a NUL character";
	if (posix.isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path))
		return "must be relative to the repository root";
	const normal = posix.normalize(path.replaceAll("\\", "/"));
	if (normal === ".." || normal.startsWith("../")) return "must stay inside the checkout";
	if (normal === "." || normal === "./") return "must name a file";
	if (/^\.git(\/|$)/i.test(normal)) return "must not be inside .git";
	return undefined;
}
