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
	const held = new Set([...(await heldBack(input, suites, verification.tests)), ...left]);
	const commit = await commits.withTests({
		parent: state.commit,
		suites,
		isWanted: (path) => !held.has(path),
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
 * Files of tests that were withdrawn: in them something fails that nobody has to fix. Where no file of a suite spells the
 * test as its runner does, nobody knows which one it is, and the whole suite is held back.
 */
async function heldBack(
	input: Pick<Input, "commits">,
	suites: readonly Suite[],
	tests: readonly TestStatus[],
): Promise<readonly string[]> {
	const held: string[] = [];
	for (const test of tests.filter(({ status }) => status === "withdrawn"))
		for (const suite of suites.filter(({ files }) => files.includes(test.path)))
			held.push(...(await filesWith(input, suite, test)));
	return held;
}

async function filesWith(
	{ commits }: Pick<Input, "commits">,
	{ commit, files }: Suite,
	{ path, name }: TestStatus,
): Promise<readonly string[]> {
	const texts = await Promise.all(files.map((file) => commits.textAt(commit, file)));
	const spelled = files.filter((_file, index) => texts[index]?.includes(name));
	return spelled.length === 0 ? files : [path, ...spelled];
}
