import type { Evidence } from "../../evidence/evidence.ts";
import { evidenceText } from "../../review/evidence-text.ts";
import { type StepKey, stepWrite, type Write } from "../../store/records.ts";
import type { Suite, TestStatus } from "../../verification/suite.ts";
import { titleOf } from "../../verification/title-of.ts";
import type { FailingTest } from "../../verification/verification.ts";
import { feedbackText } from "../../verification/verification-text.ts";
import { failuresOf } from "../../verification/verify-with.ts";
import { halt, type NodeInput, type NodeResult } from "../node.ts";
import {
	assembledChecked,
	type MergeIntent,
	merged,
	mergeForecast,
	mergeIntended,
	mergeRefused,
} from "../records/merge.ts";
import type { Update } from "../state.ts";
import { whyNotMerged } from "../task-facts.ts";

type Input = Pick<
	NodeInput,
	"facts" | "state" | "read" | "log" | "keep" | "commits" | "refs" | "checks"
>;
type Result = NodeResult<"merged" | "feedback" | "max_turns" | "halt">;

/** How often the merge is tried again because the integration branch moved meanwhile. */
const RACES = 3;

/**
 * `merge`: forecast, merge commit, a cold run of the checks on exactly that commit, and a compare-and-swap of the
 * integration branch: the commit that was tested is the commit that lands.
 */
export async function merge(input: Input): Promise<Result> {
	const { facts } = input;
	const nothing = whyNotMerged(facts);
	if (nothing !== null) return { update: { next: "merged" }, passedThrough: nothing };
	for (let race = 0; race < RACES; race += 1) {
		const result = await mergeOnce(input, race);
		if (result !== "moved") return result;
	}
	const { branch } = facts.run;
	const task = facts.task.id;
	return { update: halt("environment", { kind: "branch_moved", branch, times: RACES, task }) };
}

async function mergeOnce(input: Input, race: number): Promise<Result | "moved"> {
	const { read, log, commits, refs } = input;
	const key = stepOf<MergeIntent>(input, "merge-intent", `/${race}`);
	// Stored before it is acted on: the merge commit is the same one after a kill.
	const stored = await read.step(key);
	const tip = await refs.integrationTip();
	const made = stored !== undefined && (await commits.isCommit(stored.commit));
	// Work that adds nothing is the tip itself: that it stands on the branch does not say that it was checked.
	const isOwn = made && stored.commit !== stored.tip;
	if (isOwn && (await commits.isAncestor(stored.commit, tip))) return done(input, stored);
	if (stored !== undefined && stored.tip !== tip) return "moved";
	// A commit that `git gc` removed is made again, and is the same one.
	const intent = made ? stored : await intend(input, key, { tip, at: stored?.at ?? log.now() });
	if ("update" in intent) return intent;
	const cold = await coldRun(input, intent);
	if (cold !== null) return cold;
	if (!(await refs.moveIntegration(intent.tip, intent.commit))) return "moved";
	return done(input, intent);
}

function stepOf<Held>({ facts, state, log }: Input, part: string, nth = ""): StepKey<Held> {
	return log.key<Held>(`${part}/${facts.epoch}.${state.items}${nth}`);
}

async function intend(
	input: Input,
	key: StepKey<MergeIntent>,
	{ tip, at }: Pick<MergeIntent, "tip" | "at">,
): Promise<MergeIntent | Result> {
	const { log, keep, commits, refs, state } = input;
	const work = await workToMerge(input, { tip, at });
	const forecast = await commits.forecast(tip, work);
	const { tree } = forecast;
	if (!forecast.clean) {
		const { conflicts } = forecast;
		const trouble = `These files changed on both sides and could not be merged:\n${conflicts.join("\n")}\n\nThe checkout holds both sides between conflict markers. Resolve every one of them.`;
		return rework(input, { tip, trouble }, mergeForecast(log, conflicts));
	}
	const commit = await commitOf(input, { tip, tree, work, at });
	// Before a row names it: the cold run may take long, and `git gc` removes what no ref holds.
	if (commit !== tip) await refs.keep(`merge-${state.turn}`, commit);
	const intent = { tip, commit, at };
	await keep(mergeIntended(log, key, intent));
	return intent;
}

/** What the branch moves to: the task's commit, or the tip as it is when the work adds nothing to it. */
async function commitOf(
	{ facts, commits }: Input,
	{
		tip,
		tree,
		work,
		at,
	}: Pick<MergeIntent, "tip" | "at"> & { readonly tree: string; readonly work: string },
): Promise<string> {
	if (tree === (await commits.treeOf(tip))) return tip;
	const isSquash = facts.workflow.merge.style === "squash";
	return await commits.ofTask({ tree, parents: isSquash ? [tip] : [tip, work], at });
}

/** The turn's commit, with the verifier's tests over it where it passed them. They land with the work. */
async function workToMerge(
	input: Input,
	{ tip, at }: Pick<MergeIntent, "tip" | "at">,
): Promise<string> {
	const { state, read, log, commits } = input;
	const verification = await read.verification(log.turn);
	if (verification?.verdict !== "passed") return state.commit;
	const suites = await read.suites();
	const held = new Set([
		...(await heldBack(input, suites, verification.tests)),
		...(await othersAt(input, suites, tip)),
	]);
	return await commits.withTests({
		parent: state.commit,
		suites,
		isWanted: (path) => !held.has(path),
		subject: `${log.taskId}: the verifier's tests`,
		at,
	});
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

/** Checks the assembled tree from a cold setup. Null: it may land. */
async function coldRun(input: Input, { tip, commit }: MergeIntent): Promise<Result | null> {
	const { state, log, checks } = input;
	if (tip !== state.start) await checks.takeBaseline(tip);
	const result = await checks.ofAssembled({ commit, tip });
	const red = (trouble: string): Promise<Result> => {
		return rework(input, { tip, trouble }, assembledChecked(log, "fail"));
	};
	switch (result.kind) {
		case "pass": {
			const failed = await testsFailed(input, commit);
			return failed === "" ? null : await red(failed);
		}
		case "red":
			return await red(redText(result.short));
		case "spoilt": {
			const said = result.spoilt.map(({ check, status, reason }) => ({ check, status, reason }));
			const reason = { kind: "checks_spoilt", of: "assembled", checks: said } as const;
			return { update: halt("environment", reason) };
		}
	}
}

/** What a verifier's tests say of the assembled tree that failed there; empty where none did. */
async function testsFailed({ read, log, checks }: Input, commit: string): Promise<string> {
	const verification = await read.verification(log.turn);
	if (verification?.verdict !== "passed") return "";
	const gone = new Set(
		verification.tests.filter(({ status }) => status === "withdrawn").map(({ name }) => name),
	);
	const failing: FailingTest[] = [];
	for (const suite of await read.suites()) {
		const run = await checks.testsOfAssembled(commit, suite);
		failing.push(...failuresOf(suite, run).filter(({ test }) => !gone.has(titleOf(test))));
	}
	if (failing.length === 0) return "";
	return `The verifier's tests failed on the assembled tree:\n\n${feedbackText({ failing })}`;
}

const redText = (short: readonly Evidence[]): string =>
	`The checks failed on the assembled tree, in a fresh checkout with a fresh setup:\n\n${short.map(evidenceText).join("\n\n")}`;

/** What could not be merged: the tip, and what the player is told. */
interface Refused {
	readonly tip: string;
	readonly trouble: string;
}

/** Gives the task back to its player, with the integration branch merged in so that it can see what went wrong. */
async function rework(input: Input, refused: Refused, found: readonly Write[]): Promise<Result> {
	const { state, log } = input;
	const { tip, trouble } = refused;
	const hasMoved = tip !== state.start;
	const commit = hasMoved ? await bringIn(input, refused) : state.commit;
	const changed: Update = { start: tip, commit };
	const update = hasMoved ? { ...changed, reviewed: "" } : changed;
	const writes = [...found, ...mergeRefused(log, { tip, commit, trouble }, state.items + 1)];
	if (state.turn < state.bound) return { update: { ...update, next: "feedback" }, writes };
	const reason = { kind: "max_turns", bound: state.bound, though: "not_merged" } as const;
	return { update: { ...update, next: "max_turns", trigger: "loop_exhausted", reason }, writes };
}

async function bringIn(input: Input, { tip }: Refused): Promise<string> {
	const { facts, state, commits, refs, checks } = input;
	// Without the verifier's tests, which are no part of what the player works on.
	const own = await commits.forecast(tip, state.commit);
	const commit = await commits.merge({
		tree: own.tree,
		parents: [state.commit, tip],
		subject: `${facts.task.id}: integration branch merged in after turn ${state.turn}`,
		at: await bringInTime(input),
	});
	await refs.publish(`turn-${state.turn}-merge`, commit, state.commit);
	await checks.takeBaseline(tip);
	return commit;
}

/** Stored before the commit is made, so that it is the same commit after a kill. */
async function bringInTime(input: Input): Promise<number> {
	const { read, log, keep } = input;
	const key = stepOf<number>(input, "bring-in");
	const stored = await read.step(key);
	if (stored !== undefined) return stored;
	const at = log.now();
	await keep([stepWrite(key, at)]);
	return at;
}

function done({ facts, state, log }: Input, { tip, commit }: MergeIntent): Result {
	const { run, workflow } = facts;
	const checked = workflow.checks.some(({ kind }) => kind === "acceptance");
	return {
		update: { next: "merged" },
		writes: merged(log, {
			commit,
			into: run.branch,
			onto: tip,
			turn_commit: state.commit,
			checked,
		}),
	};
}
