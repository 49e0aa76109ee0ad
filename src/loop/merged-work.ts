import { withoutCases } from "../evidence/replay/own-lines.ts";
import type { Suite, TestStatus } from "../verification/suite.ts";
import type { NodeInput } from "./node.ts";

type Input = Pick<NodeInput, "state" | "read" | "log" | "commits">;

/** What is to be merged. */
export interface WorkToMerge {
	readonly commit: string;
	/** Files of a verifier's tests that stay behind, because another task landed something else at their paths. */
	readonly left: readonly string[];
}

/** The turn's commit, with the verifier's tests over it where it passed them. They land with the work. */
export async function workToMerge(
	input: Input,
	{ tip, at }: { readonly tip: string; readonly at: number },
): Promise<WorkToMerge> {
	const { state, read, log, commits } = input;
	const verification = await read.verification(log.turn);
	if (verification?.verdict !== "passed") return { commit: state.commit, left: [] };
	const suites = (await read.suites()).filter(({ isSpent }) => isSpent !== true);
	const left = await othersAt(input, suites, tip);
	const { held: back, texts } = await heldBack(input, suites, verification.tests);
	const held = new Set([...back, ...left]);
	const commit = await commits.withTests({
		parent: state.commit,
		suites,
		isWanted: (path) => !held.has(path),
		texts,
		subject: `${log.taskId}: the verifier's tests`,
		at,
	});
	return { commit, left };
}

/** Files of tests whose paths hold something else on the branch by now: what another task landed there stays. */
async function othersAt(
	{ commits }: Pick<Input, "commits">,
	suites: readonly Suite[],
	tip: string,
): Promise<readonly string[]> {
	const others: string[] = [];
	for (const { commit, files } of suites)
		for (const file of files) {
			const there = await commits.textAt(tip, file);
			if (there !== null && there !== (await commits.textAt(commit, file))) others.push(file);
		}
	return others;
}

/**
 * The part of withdrawn tests that does not land: in them something fails that nobody has to fix. The other tests of
 * their files do, where the syntax tells them apart. Where no file of a suite spells the test as its runner does, nobody
 * knows which one it is, and the whole suite is held back.
 */
async function heldBack(
	input: Pick<Input, "commits">,
	suites: readonly Suite[],
	tests: readonly TestStatus[],
): Promise<{ readonly held: readonly string[]; readonly texts: ReadonlyMap<string, string> }> {
	const withdrawn = tests.filter(({ status }) => status === "withdrawn");
	const held: string[] = [];
	const texts = new Map<string, string>();
	for (const suite of suites) {
		const gone = withdrawn.filter(({ path }) => suite.files.includes(path));
		for (const path of await filesWith(input, suite, gone)) {
			const text = await trimmed(input, { commit: suite.commit, path }, gone);
			if (text === null) held.push(path);
			else texts.set(path, text);
		}
	}
	return { held, texts };
}

async function filesWith(
	{ commits }: Pick<Input, "commits">,
	{ commit, files }: Suite,
	gone: readonly TestStatus[],
): Promise<ReadonlySet<string>> {
	const texts = await Promise.all(files.map((file) => commits.textAt(commit, file)));
	return new Set(
		gone.flatMap(({ path, name }) => {
			const spelled = files.filter((_file, index) => texts[index]?.includes(name));
			return spelled.length === 0 ? files : [path, ...spelled];
		}),
	);
}

/** The file without the tests that it spells; null where it cannot be had, or would not be read any more. */
async function trimmed(
	{ commits }: Pick<Input, "commits">,
	{ commit, path }: { readonly commit: string; readonly path: string },
	gone: readonly TestStatus[],
): Promise<string | null> {
	const text = (await commits.textAt(commit, path)) ?? "";
	const [tree] = await commits.trees([{ path, text }]);
	const names = [...new Set(gone.map(({ name }) => name))].filter((name) => text.includes(name));
	if (tree == null || names.length === 0) return null;
	const rest = withoutCases({ path, text, tree }, names);
	if (rest === null) return null;
	const [again] = await commits.trees([{ path, text: rest }]);
	return again == null ? null : rest;
}
