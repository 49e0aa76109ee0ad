import { createHash } from "node:crypto";
import type { VerificationCause } from "../verification/cause.ts";
import {
	type DeclaredName,
	declaredNames,
	declaresNames,
	partOf,
} from "../verification/component.ts";
import {
	type ChangedText,
	causesOfDiff,
	changedDeclarations,
} from "../verification/diff-causes.ts";
import { type Requirement, requirementOf } from "../verification/requirement.ts";
import type { NodeInput } from "./node-input.ts";

const MAX_DECLARATIONS = 12;
const MAX_MANIFESTS = 60;

type Input = Pick<NodeInput, "facts" | "state" | "commits">;

export async function requirementFor(input: Input): Promise<Requirement> {
	const { facts, state, commits } = input;
	const declared = requirementOf(facts.task);
	if (declared.by !== "heuristic") return declared;
	const changes = await commits.changes(state.start, state.commit);
	// Whatever the task names: tests and texts for people break no component.
	const isHarmless = changes.every(({ path }) => ["test", "harmless"].includes(partOf(path)));
	if (changes.length > 0 && isHarmless) return { ...declared, required: false, causes: [] };
	return declared.required ? declared : requirementOf(facts.task, await causesFound(input));
}

async function causesFound({ state, commits }: Input): Promise<VerificationCause[]> {
	const { start, commit } = state;
	const texts = await commits.texts(start, commit);
	const files = await commits.files(commit);
	const names: DeclaredName[] = [];
	for (const path of files.filter(declaresNames).slice(0, MAX_MANIFESTS))
		names.push(...declaredNames(path, (await commits.textAt(commit, path)) ?? ""));
	return causesOfDiff(texts, { files, names, users: await usersOf({ commits, commit }, texts) });
}

async function usersOf(
	{ commits, commit }: Pick<Input, "commits"> & { readonly commit: string },
	texts: readonly ChangedText[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const names = [...new Set(texts.flatMap(changedDeclarations))].slice(0, MAX_DECLARATIONS);
	const users = new Map<string, readonly string[]>();
	for (const name of names) users.set(name, await commits.naming(commit, name));
	return users;
}

export function specKey(
	{ description, acceptanceCriteria }: Input["facts"]["task"],
	directive: string | null,
): string {
	const spec = JSON.stringify([description, acceptanceCriteria, directive]);
	return createHash("sha256").update(spec).digest("hex").slice(0, 16);
}
