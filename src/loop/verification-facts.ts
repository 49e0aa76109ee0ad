import { createHash } from "node:crypto";
import type { VerificationCause } from "../verification/cause.ts";
import type { ChangedText } from "../verification/changed-text.ts";
import { folderOf, isProductCode } from "../verification/component.ts";
import { causesOfDiff, changedTypes } from "../verification/diff-causes.ts";
import { causesOfChanged } from "../verification/path-causes.ts";
import { type Requirement, requirementOf } from "../verification/requirement.ts";
import type { NodeInput } from "./node.ts";

/** Manifests that make their directory a package. */
const MANIFEST =
	/(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** Types of a change that are looked for in the repository; with more it counts as shared. */
const MAX_TYPES = 8;

type Input = Pick<NodeInput, "facts" | "state" | "commits">;

/** Whether the task requires independent tests, by what the file says, and by what the task names and really changed. */
export async function requirementFor(input: Input): Promise<Requirement> {
	const { task } = input.facts;
	const declared = requirementOf(task);
	// What the file or the task says already needs no look at the diff.
	if (declared.by !== "heuristic" || declared.required) return declared;
	return requirementOf(task, await causesFound(input));
}

async function causesFound({ state, commits }: Input): Promise<VerificationCause[]> {
	const { start, commit } = state;
	const changes = await commits.changes(start, commit);
	const byPath = causesOfChanged(
		changes.map(({ path, kind }) => ({ path, isGone: kind === "deleted" })),
	);
	// Lines of code are the only ones that say something.
	if (byPath.length > 0 || !changes.some(({ path }) => isProductCode(path))) return byPath;
	const texts = await commits.texts(start, commit);
	const files = await commits.files(commit);
	const manifests = new Set(files.filter((path) => MANIFEST.test(path)).map(folderOf));
	return causesOfDiff(texts, { manifests, users: await usersOf({ commits, commit }, texts) });
}

async function usersOf(
	{ commits, commit }: Pick<Input, "commits"> & { readonly commit: string },
	texts: readonly ChangedText[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const names = [...new Set(texts.flatMap(changedTypes))].slice(0, MAX_TYPES);
	const users = new Map<string, readonly string[]>();
	for (const name of names) users.set(name, await commits.naming(commit, name));
	return users;
}

/** Key of what tests are written for: the description, the criteria, and a person's directive. */
export function specKey(
	{ description, acceptanceCriteria }: Input["facts"]["task"],
	directive: string | null,
): string {
	const spec = JSON.stringify([description, acceptanceCriteria, directive]);
	return createHash("sha256").update(spec).digest("hex").slice(0, 16);
}
