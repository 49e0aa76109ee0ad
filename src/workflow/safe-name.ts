/** Longest task id or name of an agent or a check, in characters. */
const LONGEST_NAME = 64;

/**
 * Finds why a name cannot stand in refs and file names (the rules of git-check-ref-format, narrowed so that no shell
 * or file system objects). `nameProblem("-x")` is `"must not start with \"-\""`.
 */
export function nameProblem(name: string): string | undefined {
	if (name === "") return "must not be empty";
	if (name.length > LONGEST_NAME)
		return `must have at most ${LONGEST_NAME} characters, has ${name.length}`;
	if (!/^[A-Za-z0-9._-]+$/.test(name))
		return 'may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)';
	if (name.startsWith("-") || name.startsWith("."))
		return `must not start with "${name.slice(0, 1)}"`;
	if (name.includes("..")) return 'must not contain ".."';
	if (/\.lock$/i.test(name)) return 'must not end in ".lock"';
	if (name.endsWith(".")) return 'must not end in "."';
	if (name === "__proto__") return "is reserved";
	return undefined;
}

/** Longest id that is made from words, so that branches stay readable. */
const LONGEST_MADE = 40;

/** A safe task id from a file name or a sentence: `safeTaskId("Add a rate limiter!")` is `"add-a-rate-limiter"`. */
export function safeTaskId(text: string): string {
	const words =
		text
			.slice(0, 1_000)
			.normalize("NFKD")
			.replaceAll(/\p{M}/gu, "")
			.toLowerCase()
			.match(/[a-z0-9]+/g) ?? [];
	const cut = words.join("-").slice(0, LONGEST_MADE).replace(/-$/, "");
	if (cut === "") return "task";
	return isReservedTaskId(cut) ? `${cut}-task` : cut;
}

const RESERVED: ReadonlySet<string> = new Set(["integration", "vault.git", "vault.git.new"]);

export function isReservedTaskId(id: string): boolean {
	return RESERVED.has(id.toLowerCase());
}
