import { normalize } from "node:path/posix";
import { spoiltOf, whoseFault } from "../checks/fault-side.ts";
import { isTimedOut } from "../checks/judge.ts";
import { computedEvidence } from "../evidence/computed.ts";
import type { Evidence } from "../evidence/evidence.ts";
import {
	changesBetween,
	filesAt,
	ignoredBy,
	readFileAt,
	textReader,
	treeOf,
} from "../git/changes.ts";
import type { FileChange } from "../git/file-change.ts";
import { counted } from "../kernel/counted.ts";
import { allowedText } from "../wall/integrity/allowed.ts";
import { checkIntegrity } from "../wall/integrity/check-integrity.ts";
import { treeReader } from "../wall/language/languages.ts";
import type {
	AgentCommand,
	EvidencePair,
	Integrity,
	IntegrityRules,
} from "../wall/reading/tree-pair.ts";
import { type Suspicion, suspicionText } from "../wall/suspicion.ts";
import { judgesOf } from "../workflow/tie-breaker-of.ts";
import type { ChecklistItem, Workflow } from "../workflow/workflow.ts";
import { type Compared, comparedByNow, excusedByNow } from "./base-by-now.ts";
import { type Measured, measureTests } from "./battery/measure.ts";
import type { MeasureRequest } from "./battery/measure-plan.ts";
import { nearValues } from "./battery/near-values.ts";
import { type Replay, type ReplayRequest, replay } from "./battery/replay.ts";
import type { ReplayPlace } from "./battery/replay-check.ts";
import { checkSuite, type TaskSuite } from "./check-suite.ts";
import { copiedSecrets } from "./copied-secrets.ts";
import { ENVIRONMENT_RETRIES, type Stand } from "./stand.ts";
import { pythonRunner } from "./syntax-runner.ts";

/**
 * Ports of a judgement, by which a turn and work that exists are judged alike.
 *
 * @param purpose `assembled` where no cold run before a merge follows: what only that one asks is asked at once
 */
export const judgePorts: typeof portsOf = portsOf;

function portsOf(stand: Stand, purpose: ReplayPlace["purpose"] = "turn") {
	const { vault, places } = stand;
	return {
		checks: {
			ofTurn: (suite: TaskSuite): Promise<readonly Evidence[]> => checkSuite(stand, suite),
			/** Evidence of a turn and its base, for which a base that was kept is run again where the turn is red. */
			byNow: (start: string, compared: Compared): Promise<Compared> =>
				comparedByNow(stand, start, compared),
			/** Runs the base's own tests on the product of a turn's commit. What is stored for its tree is not run again. */
			replay: (product: ReplayRequest): Promise<Replay> =>
				replay(stand, { checkout: places.checks, name: "checks", purpose }, product),
			/** Measures whether changed tests notice what the base's do. What is stored is not measured again. */
			measure: (product: MeasureRequest): Promise<Measured> => measureTests(stand, product),
			/** Asks whether work that passes fits the tests' values alone. What is stored is not run again. */
			near: (product: MeasureRequest): Promise<readonly Suspicion[]> => nearValues(stand, product),
		},
		commits: {
			treeOf: (commit: string) => treeOf(vault, commit),
			changes: (from: string, to: string): Promise<readonly FileChange[]> =>
				changesBetween(vault, from, to),
			textAt: async (commit: string, path: string) =>
				(await readFileAt(vault, commit, path))?.toString("utf8") ?? null,
			reader: (commit: string, of: Parameters<typeof textReader>[2]) =>
				textReader(vault, commit, of),
			/** Syntax trees of files in JavaScript, TypeScript and Python; null for what cannot be read. Nothing of them is run. */
			trees: treeReader(pythonRunner(stand)),
			ignoredAt: (commit: string, paths: readonly string[]) => ignoredBy(vault, commit, [...paths]),
			secrets: (): readonly string[] => copiedSecrets(vault.copied).map(({ value }) => value),
			countFiles: async (commit: string) => (await filesAt(vault, commit)).length,
		},
	};
}

/** A commit and the base that it is judged against. */
export interface JudgedPair {
	readonly start: string;
	readonly commit: string;
	/** Sentences about what is not in the commit. */
	readonly embedded: readonly string[];
}

export interface JudgeInput extends ReturnType<typeof portsOf> {
	readonly facts: Pick<Stand, "workflow" | "task">;
	readonly evidence: Pick<Stand["evidence"], "ofWork" | "ofBase" | "attempt">;
	readonly clock: Pick<Stand["clock"], "now">;
}

export interface JudgedTree {
	readonly tree: string;
	readonly baseline: ReadonlyMap<string, Evidence>;
	/** One piece for each check. */
	readonly checked: readonly Evidence[];
	readonly replayed: Replay;
	/** With the proof that changed tests notice less. */
	readonly integrity: Integrity;
	/** What the environment kept from saying anything. */
	readonly silent: readonly Evidence[];
	readonly startedAt: number;
}

/**
 * Judges a commit against its base: runs the checks, replays the base's tests where they differ, compares the trees, and
 * measures what changed tests still notice. The baseline has been taken. Evidence that is stored is not made again; only
 * what the environment spoilt is run again.
 */
export async function judgeTree(input: JudgeInput, pair: JudgedPair): Promise<JudgedTree> {
	const { evidence, clock, checks, commits } = input;
	const { start, commit } = pair;
	const tree = await commits.treeOf(commit);
	const kept = new Map((await evidence.ofBase()).map((piece) => [piece.check, piece]));
	const first = await runChecks(input, { commit, tree, baseline: kept });
	const { baseline, checked } = await checks.byNow(start, { baseline: kept, checked: first });
	const replays = (await evidence.ofWork()).filter(({ kind }) => kind === "replay");
	const product = { commit, start, baseline };
	const stored = [...checked, ...replays];
	const replayed = await checks.replay({ ...product, stored, early: true });
	const silent = spoiltOf([...checked, ...replayed.evidence], baseline);
	const startedAt = clock.now();
	const request = { ...product, checked, replayed };
	const measured = await checks.measure(request);
	const ran = { baseline: [...baseline.values()], now: checked, replayed, kept: measured.kept };
	const compared = await compareTrees(input, pair, ran);
	const isClean = compared.violations.length === 0;
	const near = isClean ? await checks.near(request) : [];
	// What is skipped notices nothing: one word for one cause.
	const known = new Set(compared.blocked.map(({ path }) => path));
	const isTold = (at: number): boolean => known.has(measured.weaker[at] ?? "");
	const less = measured.violations.filter((_text, at) => !isTold(at));
	const violations = [...compared.violations, ...less];
	const excused = excusedByNow({ baseline, checked });
	// One question for one cause: who does something else does it for values near to the tests', too.
	const isToldElse = ({ rule, file }: Suspicion): boolean =>
		(rule === "other_expected" && measured.weaker.includes(file)) ||
		(rule === "differs_nearby" && replayed.otherwise?.files.has(file) === true);
	const all = [...compared.suspicions, ...excused, ...near];
	const suspicions = all.filter((one) => !isToldElse(one));
	const notes = [...compared.notes, ...measured.notes];
	const weaker = measured.weaker
		.filter((_path, at) => !isTold(at))
		.map((path) => ({ path, change: "weaken" as const }));
	const blocked = [...compared.blocked, ...weaker];
	const integrity = { ...compared, violations, blocked, suspicions, notes };
	return { tree, baseline, checked, replayed, integrity, silent, startedAt };
}

/** Compares the trees alone, by what is known of their runs. */
export async function compareTrees(
	{ facts: { workflow, task }, commits }: Pick<JudgeInput, "facts" | "commits">,
	{ start, commit, embedded }: JudgedPair,
	evidence: EvidencePair,
): Promise<Integrity> {
	const changes = await commits.changes(start, commit);
	const pair = {
		changes,
		readBase: commits.reader(start, { changes, side: "old" }),
		readHead: commits.reader(commit, { changes, side: "new" }),
		countBase: () => commits.countFiles(start),
		ignoredByBase: (paths: readonly string[]) => commits.ignoredAt(start, paths),
		embedded,
		trees: commits.trees,
	};
	const { allow = [], checklist, description, acceptanceCriteria } = task;
	const told = [description, ...acceptanceCriteria];
	const secrets = commits.secrets();
	return checkIntegrity(pair, { ...rulesOf(workflow, checklist), allow, told, secrets }, evidence);
}

const APART: ReadonlySet<Evidence["kind"]> = new Set([
	"integrity",
	"replay",
	"power",
	"checklist",
	"mutation",
]);

async function runChecks(
	{ facts, evidence, checks }: JudgeInput,
	{ commit, tree, baseline }: Pick<JudgedTree, "tree" | "baseline"> & Pick<JudgedPair, "commit">,
): Promise<Evidence[]> {
	const stored = await evidence.ofWork();
	const byName = new Map(
		stored.filter((piece) => piece.tree === tree).map((piece) => [piece.check, piece]),
	);
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		const wanted = facts.workflow.checks.filter(({ name }) => {
			const known = byName.get(name);
			// The same limit would end it once more.
			const isVain = attempt > 0 && known !== undefined && isTimedOut(known);
			return !isVain && isWanted(known, baseline.get(name));
		});
		const fresh = await checks.ofTurn({
			commit,
			tree,
			checks: wanted,
			attempt: evidence.attempt(attempt),
			baseline,
		});
		for (const piece of fresh) byName.set(piece.check, piece);
	}
	return [...byName.values()].filter(({ kind }) => !APART.has(kind));
}

function isWanted(known: Evidence | undefined, before: Evidence | undefined): boolean {
	if (known === undefined) return true;
	const fault = whoseFault(known, before);
	// A baseline that was taken again since is of an environment that was repaired, or of another one.
	const isOlder = before !== undefined && before.startedAt > known.startedAt;
	return fault === "environment" || (fault === "player" && isOlder);
}

function rulesOf(workflow: Workflow, items: readonly ChecklistItem[] = []): IntegrityRules {
	const { checks, setup, file } = workflow;
	const checklist = items.map(({ run }) => run);
	const commands = agentCommands(workflow);
	const rules = { checks, checklist, setup, commands, protected: workflow.protected };
	return file === undefined ? rules : { ...rules, workflowFile: file };
}

// A coach or a tie-breaker whose script the player can write would say what the player likes, so the files behind
// these commands may not be touched, and new ones may not take their place.
function agentCommands(workflow: Workflow): AgentCommand[] {
	const commands = Object.values(workflow.agents).flatMap((agent) =>
		agent.adapter === "command" ? [agent] : [],
	);
	if (commands.length === 0) return [];
	const judges = judgesOf(workflow);
	return commands.map((agent) => {
		// What a judge is given by name instructs it; a player is given what it works on. A script in the command
		// itself may name any file.
		const inline = agent.run.some((word) => /^-(?:[a-z]*c|e)$/.test(word));
		const given = judges.has(agent.name) && !inline ? agent.run.slice(1) : [];
		const files = given.map((word) => normalize(word));
		return { owner: `agent ${agent.name}`, run: agent.run.join(" "), files };
	});
}

export function integrityEvidence(
	{ violations, notes, suspicions, allowed }: Integrity,
	{ tree, startedAt }: Pick<JudgedTree, "tree" | "startedAt">,
	now: number,
): Evidence {
	const isWhole = violations.length === 0;
	return computedEvidence({
		check: "integrity",
		kind: "integrity",
		status: isWhole ? "pass" : "fail",
		reason: isWhole ? null : `${counted(violations.length, "blocked change")}: ${violations[0]}`,
		tree,
		details: [
			...violations,
			...suspicions.map(suspicionText),
			...allowed.map((one) => `allowed: ${allowedText(one)}`),
			...notes.map((note) => `note: ${note}`),
		],
		startedAt: new Date(startedAt).toISOString(),
		ms: now - startedAt,
	});
}
