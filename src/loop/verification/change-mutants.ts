import { type ChangedModule, moduleMutants } from "../../evidence/mutation/module-mutants.ts";
import { isAmongTests } from "../../evidence/replay/test-places.ts";
import { changedTexts, sideOf, type TextPart } from "../../git/changed-texts.ts";
import { isModulePath, loadModuleParser } from "../../syntax/module-syntax.ts";
import { isProductCode } from "../../verification/component.ts";
import { type MutableFile, type Mutant, mutantsOf } from "../../verification/mutants.ts";
import type { VerificationRequest } from "../../verification/verification.ts";
import type { Ground } from "../context.ts";

/** Most mutants of each kind, and most text of a change that is looked at for them, in bytes. */
const MAX_TAKEN_BACK = 12;
const MAX_MUTATED = 12;
const MAX_TEXT = 4_000_000;

/** What can tell tests of a change from tests that pass whatever it does. */
export interface MutableChange {
	/** Whether more than tests and texts for people changed. */
	readonly touchesProduct: boolean;
	/** Parts of the change taken back, then places in it with one thing wrong, which a refactoring has as well. */
	readonly mutants: readonly Mutant[];
}

/** Texts for people, which no program runs. */
const PROSE = /(?:\.(?:md|mdx|rst|adoc)|(?:^|\/)(?:LICEN[CS]E|AUTHORS|NOTICE|CODEOWNERS)[\w.]*)$/i;

export async function mutableChange(
	{ vault }: Pick<Ground, "vault">,
	{ base, commit }: Pick<VerificationRequest, "base" | "commit">,
): Promise<MutableChange> {
	const changed = await changedTexts(vault, base, commit, MAX_TEXT);
	const product = changed.filter(({ path }) => !isAmongTests(path) && !PROSE.test(path));
	const files = product.flatMap(({ path, kind, mode, parts }): MutableFile[] =>
		parts === null || kind === "deleted" ? [] : [{ path, mode, parts }],
	);
	const code = files.filter(({ path }) => isProductCode(path));
	const takenBack = mutantsOf(code.length > 0 ? code : files, MAX_TAKEN_BACK);
	return {
		touchesProduct: product.length > 0,
		mutants: [...takenBack, ...(await mutated(code))],
	};
}

async function mutated(code: readonly MutableFile[]): Promise<Mutant[]> {
	const modules = code.filter(({ path }) => isModulePath(path));
	if (modules.length === 0) return [];
	const modes = new Map(modules.map(({ path, mode }) => [path, mode]));
	const changed = modules.map(({ path, parts }): ChangedModule => {
		return { path, text: sideOf(parts, "fresh"), lines: freshLines(parts) };
	});
	return moduleMutants(changed, await loadModuleParser(), MAX_MUTATED).map(
		({ file: path, line, text }): Mutant => {
			return { place: `${path}:${line}`, path, mode: modes.get(path) ?? "100644", text };
		},
	);
}

/** Numbers of the lines that a change made, from 1. */
function freshLines(parts: readonly TextPart[]): number[] {
	const lines: number[] = [];
	let line = 1;
	for (const part of parts) {
		const stretch = "same" in part ? part.same : part.fresh;
		if (!("same" in part)) lines.push(...stretch.map((_text, at) => line + at));
		line += stretch.length;
	}
	return lines;
}
