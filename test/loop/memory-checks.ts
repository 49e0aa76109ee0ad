import { definitionHash } from "../../src/checks/definition.ts";
import { spoiltOf } from "../../src/checks/fault-side.ts";
import { holdsAgainst } from "../../src/checks/holds-against.ts";
import { judgeCheck } from "../../src/checks/judge.ts";
import { readOutcome } from "../../src/checks/read-outcome.ts";
import { labelOf } from "../../src/checks/run-check.ts";
import type { RunDefinition } from "../../src/evidence/checklist.ts";
import type { Evidence, EvidencePurpose } from "../../src/evidence/evidence.ts";
import type { Replay, ReplayRequest } from "../../src/judge/battery/replay.ts";
import { definedHere, isOf, isPlain, keepEvidence } from "../../src/judge/check-suite.ts";
import { isoTime } from "../../src/kernel/clock.ts";
import { replayOf } from "../../src/kernel/replayed.ts";
import {
	type AssembledRequest,
	type AssembledResult,
	resultOf,
} from "../../src/loop/assembled-tree.ts";
import type { Ground } from "../../src/loop/context.ts";
import {
	type GitOfMaps,
	type MapTree,
	treeIdOf,
	withFiles,
} from "../../src/loop/git-of-maps.fixture.ts";
import type { NodeInput } from "../../src/loop/node-input.ts";
import { mergesNext } from "../../src/loop/present-task.ts";
import { attemptOf } from "../../src/loop/records/task-reader.ts";
import { NO_SIDES } from "../../src/loop/scene.contract.ts";
import type { ProcessResult } from "../../src/process/process.ts";
import { requiredOf } from "../../src/review/effective-verdict.ts";
import type { Suite } from "../../src/verification/suite.ts";
import { type TestRun, testRunOf } from "../../src/verification/test-run.ts";
import { canCompare, judgeReplay } from "../../src/wall/replay/judge-replay.ts";
import { standsFor } from "../../src/wall/replay/stands-for.ts";
import { isShort } from "../../src/wall/replay/void-replay.ts";

/** Output and exit code of a command, by the files of its checkout. A number is an exit code without output. */
export type Program = (files: MapTree, purpose: EvidencePurpose) => ProgramEnd | number;

type ProgramEnd = Partial<
	Pick<ProcessResult, "exitCode" | "output" | "started" | "startError" | "timedOut">
>;

/** The check of every scene: it prints `results.tap`, and fails where a case in it does. */
const PROGRAMS: Readonly<Record<string, Program>> = {
	"sh check.sh": (files) => {
		const output = files.get("results.tap")?.text ?? "";
		return { output, exitCode: /^not ok/m.test(output) || output === "" ? 1 : 0 };
	},
	true: () => 0,
	false: () => 1,
};

/** Programs by their command lines; those of a scene come first. */
export type Programs = Readonly<Record<string, Program>>;

interface Execution {
	readonly check: RunDefinition;
	readonly files: MapTree;
	readonly purpose: EvidencePurpose;
	readonly baseline?: Evidence | undefined;
}

/** Checks that are no processes: programs that read the maps. What reads and judges their results is the product's. */
export class MemoryChecks {
	readonly #ground: Ground;
	readonly #git: GitOfMaps;
	readonly #programs: Programs;

	constructor(ground: Ground, git: GitOfMaps, programs: Programs) {
		this.#ground = ground;
		this.#git = git;
		this.#programs = { ...PROGRAMS, ...programs };
	}

	port(): NodeInput["checks"] {
		return {
			preparePlayer: async () => null,
			takeBaseline: (commit) => this.#takeBaseline(commit),
			lacking: async () => [],
			ofTurn: (suite) => this.#suite({ ...suite, purpose: "turn" }),
			byNow: async (_start, compared) => compared,
			prepareAssembled: () => undefined,
			replay: (request) => this.#replay(request, "turn"),
			measure: async () => ({ violations: [], weaker: [], kept: new Set(), notes: [] }),
			near: async () => [],
			mutate: async () => [],
			replayCold: (commit) => this.#replayCold(commit),
			ofAssembled: (merged) => this.#assembled(merged),
			testsOfAssembled: (commit, suite) => this.testsAt(commit, suite),
		};
	}

	/** A run of a verifier's tests, which stand beside the files of a commit. */
	async testsAt(commit: string, suite: Suite): Promise<TestRun> {
		const tests = Object.fromEntries(
			[...this.#git.files(suite.commit)].map(([path, { text }]) => [path, text]),
		);
		const files = withFiles(this.#git.files(commit), tests);
		const check = {
			name: suite.id,
			kind: "acceptance",
			run: suite.run,
			baseline: "strict",
		} as const;
		const piece = await this.#run({ check, files, purpose: "turn" });
		const outputPath = `${this.#ground.places.outputs}/tests-${suite.id}.log`;
		await this.#ground.blobs.put(outputPath, piece.outputTail);
		return testRunOf({ ...piece, outputPath }, piece.outputTail, suite.run);
	}

	async #run({ check, files, purpose, baseline }: Execution): Promise<Evidence> {
		const { masker, workflow, clock } = this.#ground;
		const program = this.#programs[check.run];
		if (program === undefined) throw new Error(`nobody says what "${check.run}" does`);
		const end = program(files, purpose);
		const said = typeof end === "number" ? { exitCode: end } : end;
		const startedAt = clock.now();
		const { output = "" } = said;
		const process: ProcessResult = {
			exitCode: 0,
			signal: null,
			timedOut: false,
			started: true,
			startError: null,
			stdout: output,
			stderr: "",
			startedAt,
			ms: 1,
			...said,
			output,
		};
		const place = {
			checkout: "/checks",
			roots: ["/checks"],
			masker,
			view: undefined,
			channel: null,
		};
		const named = baseline?.cases != null;
		const report = await readOutcome({ check, ...place, named }, process);
		const { status, reason, counts, details, started } = judgeCheck({
			check,
			process,
			report,
			baseline,
		});
		return {
			...labelOf(check, masker),
			status,
			reason,
			counts,
			details,
			started,
			purpose,
			tree: treeIdOf(files),
			definition: definitionHash(check, workflow.setup, await this.#ground.bases.variant()),
			exitCode: process.exitCode,
			cases: report.kind === "cases" ? report.cases : null,
			outputPath: null,
			touched: [],
			outputTail: output,
			startedAt: isoTime(startedAt),
			ms: 1,
		};
	}

	async #suite({
		commit,
		checks,
		attempt,
		purpose,
		baseline = new Map(),
	}: Pick<
		Parameters<NodeInput["checks"]["ofTurn"]>[0],
		"commit" | "checks" | "attempt" | "baseline"
	> &
		Pick<Execution, "purpose">): Promise<readonly Evidence[]> {
		const pieces: Evidence[] = [];
		for (const check of checks) {
			const own = { check, files: this.#git.files(commit), purpose };
			const piece = await this.#run({ ...own, baseline: baseline.get(check.name) });
			await keepEvidence(this.#ground, attempt, piece);
			pieces.push(piece);
		}
		return pieces;
	}

	async #takeBaseline(commit: string): Promise<void> {
		const { evidence, workflow } = this.#ground;
		const tree = treeIdOf(this.#git.files(commit));
		const stored = await evidence.ofBase();
		const missing = [];
		for (const check of workflow.checks) {
			const of = await definedHere(this.#ground, check);
			if (stored.some((piece) => piece.tree === tree && isOf(piece, of))) continue;
			const known = await evidence.elsewhere(tree, of);
			if (known === undefined) missing.push(check);
			else await keepEvidence(this.#ground, 0, { ...known, purpose: "baseline" }, true);
		}
		await this.#suite({ commit, checks: missing, attempt: 0, purpose: "baseline" });
	}

	get #required(): readonly RunDefinition[] {
		return this.#ground.workflow.checks.filter(({ kind }) => kind === "acceptance");
	}

	/** The tests of the base are those of the work: no scene here changes which ones there are. */
	async #replay(
		{ commit, baseline, stored, early }: Omit<ReplayRequest, "start">,
		purpose: "turn" | "assembled",
	): Promise<Replay> {
		const evidence: Evidence[] = [];
		if (early) return { evidence, sides: NO_SIDES, holds: false };
		const tree = treeIdOf(this.#git.files(commit));
		for (const check of this.#required) {
			const name = replayOf(check.name);
			const known = stored.find((piece) => piece.check === name && piece.tree === tree);
			if (known !== undefined) {
				evidence.push(known);
				continue;
			}
			const before = baseline.get(check.name);
			const own = { check, files: this.#git.files(commit), purpose };
			const now = await this.#run({ ...own, baseline: before });
			const excuses = { isExcused: () => false, excused: 0, declaresTests: () => true };
			const strict = check.baseline === "strict";
			const verdict = judgeReplay({ before, own: now, now, strict, ...excuses });
			const piece = { ...now, ...verdict, check: name, kind: "replay" } as const;
			await keepEvidence(this.#ground, this.#nth, piece);
			evidence.push(piece);
		}
		return { evidence, sides: NO_SIDES, holds: evidence.every(({ status }) => status === "pass") };
	}

	get #nth(): number {
		return attemptOf(this.#ground.state.items, 0);
	}

	async #replayCold(commit: string): Promise<readonly Evidence[] | null> {
		const { queue, refs, read } = this.#ground;
		if (!queue.isEmpty) return null;
		const merged = { commit, tip: await refs.integrationTip() };
		const found = await this.#held(merged, await read.baseline());
		if (found === null) return null;
		const fresh = found.filter(({ kind }) => kind === "replay");
		const ofTurn = fresh.map((piece) => ({ ...piece, purpose: "turn" }) as const);
		for (const piece of ofTurn) await keepEvidence(this.#ground, this.#nth, piece, true);
		return ofTurn;
	}

	/** Results of the turn that stand for a cold run, with a replay. */
	async #held(
		{ commit, tip }: AssembledRequest,
		baseline: ReadonlyMap<string, Evidence>,
	): Promise<readonly Evidence[] | null> {
		const { task, read, log } = this.#ground;
		if ((task.allow ?? []).length > 0) return null;
		const tree = treeIdOf(this.#git.files(commit));
		const names = this.#required.map(({ name }) => name);
		const start = (await read.task()).startCommit;
		const ground = { tree, start, tip, startKey: "none", key: "none" };
		const turn = (await read.evidence(log.turn)).filter(isPlain);
		const held = standsFor(ground, names, turn, baseline);
		if (held === null || !held.every(({ check }) => canCompare(baseline.get(check)))) return null;
		for (const piece of held)
			await keepEvidence(this.#ground, this.#nth, { ...piece, purpose: "assembled" }, true);
		const asked = { commit, baseline, stored: held, early: false };
		return [...held, ...(await this.#replay(asked, "assembled")).evidence];
	}

	async #passedBefore(tree: string, baseline: ReadonlyMap<string, Evidence>) {
		const { read, log } = this.#ground;
		const evidence = (await read.allEvidence(log.turn)).filter(
			(piece) => piece.purpose === "assembled" && piece.tree === tree && !isShort(piece),
		);
		const names = this.#required.map(({ name }) => name);
		const known = new Set(evidence.map(({ check }) => check));
		const isWhole = names.every((name) => known.has(name) && known.has(replayOf(name)));
		return isWhole && holdsAgainst(names, evidence, baseline) ? evidence : null;
	}

	async #assembled(merged: AssembledRequest): Promise<AssembledResult> {
		const baseline = await this.#ground.read.baseline();
		const { commit, again = false } = merged;
		const tree = treeIdOf(this.#git.files(commit));
		const judged = { tree, baseline };
		const before = again ? null : await this.#passedBefore(tree, baseline);
		if (before !== null) return resultOf(this.#ground, judged, before);
		const isAtOnce = !again && mergesNext(this.#ground);
		const held = isAtOnce ? await this.#held(merged, baseline) : null;
		if (held !== null) return resultOf(this.#ground, judged, held);
		const own = { commit, checks: this.#required, attempt: this.#nth, baseline };
		const evidence = await this.#suite({ ...own, purpose: "assembled" });
		const short = requiredOf(evidence, []).failed;
		const spoilt = spoiltOf(short, baseline);
		if (spoilt.length > 0) return { kind: "spoilt", spoilt };
		if (short.length > 0) return { kind: "red", short, rules: [] };
		const asked = { commit, baseline, stored: evidence, early: false };
		const replayed = await this.#replay(asked, "assembled");
		return resultOf(this.#ground, judged, [...evidence, ...replayed.evidence]);
	}
}
