import type { VerificationCause } from "./cause.ts";
import { declaredNames } from "./component.ts";
import { causesOfDiff, changedDeclarations } from "./diff-causes.ts";

/** Texts of files by path; null for one that cannot be read, in a change for one that goes. */
export type Files = Readonly<Record<string, string | null>>;

/** Causes that a change of a repository gives, with what git would tell of the repository. */
export function causesIn(repository: Files, changed: Files): VerificationCause[] {
	const after: Files = { ...repository, ...changed };
	const files = Object.keys(after).filter((path) => after[path] !== null);
	const naming = (name: string) =>
		files.filter((path) => new RegExp(`\\b${name}\\b`).test(after[path] ?? ""));
	const changes = Object.entries(changed).map(([path, text]) => ({
		path,
		before: repository[path] ?? null,
		after: text,
		isRead: text !== UNREAD,
	}));
	return causesOfDiff(changes, {
		files,
		names: files.flatMap((path) => declaredNames(path, after[path] ?? "")),
		users: new Map(changes.flatMap(changedDeclarations).map((name) => [name, naming(name)])),
	});
}

/** Stands for the text of a file that could not be read. */
export const UNREAD = "\0";
