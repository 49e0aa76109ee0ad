// Some file systems drop these from names, so that `.g\u200cit` would be `.git` there.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

export function isGitFolder(name: string): boolean {
	const plain = name
		.replaceAll(IGNORED, "")
		.toLowerCase()
		.replace(/[. ]+$/, "");
	return plain === ".git" || /^git~\d+$/.test(plain);
}

/**
 * Tells why a path may not be written into a checkout, as far as its text tells.
 *
 * @example `pathProblem("src/../../x")` is `leaves the checkout`
 */
export function pathProblem(path: string): string | null {
	if (path === "") return "is empty";
	if (path.includes("\0")) return "contains a NUL character";
	if (path.startsWith("/")) return "is absolute";
	const names = path.split("/");
	if (names.includes("..")) return "leaves the checkout";
	if (names.includes(".") || names.includes("")) return "is not normalized";
	return names.some(isGitFolder) ? "is inside git's own folder" : null;
}
