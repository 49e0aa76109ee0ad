import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import { type ChangedFileText, changedTexts, filesNaming, sideOf } from "../git/changed-texts.ts";
import {
	changedLines,
	diffTexts,
	filesAt,
	isAncestor,
	isCommit,
	readFileAt,
} from "../git/changes.ts";
import { leftWork } from "../git/left-work.ts";
import {
	commitMerge,
	forecastMerge,
	type MergeCommit,
	type MergeForecast,
} from "../git/merging.ts";
import { cutTo, MAX_SUBJECT, messageWith, oneLine } from "../git/message.ts";
import type { SnapshotRequest } from "../git/snapshot.ts";
import type { Vault } from "../git/vault.ts";
import { commitEdits, writeText } from "../git/write-tree.ts";
import { judgePorts } from "../judge/judge-tree.ts";
import type { LeftWork } from "../kernel/left-work.ts";
import type { CallRecord } from "../store/records.ts";
import type { ChangedText } from "../verification/diff-causes.ts";
import type { Suite } from "../verification/suite.ts";
import { splitTitle, taskSubject } from "../workflow/task-subject.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { CommitTexts, Ground } from "./context.ts";
import { playerSnapshot } from "./player-snapshot.ts";
import type { TaskReader } from "./records/task-reader.ts";
import { filesOf } from "./run-tests.ts";

/** Most text of a change that is looked at for what it touches, in bytes. */
const MAX_TEXTS = 4_000_000;

export interface OwnCommit {
	readonly subject: string;
	/** In milliseconds since the epoch; the same gives the same commit. */
	readonly at: number;
}

/** Texts of the commits of a vault. */
export function commitTexts(vault: Vault): CommitTexts {
	return {
		diffs: async (pairs, maxBytes) =>
			(await diffTexts(vault, pairs, { maxBytes })).map(({ text }) => text),
		at: async (commit, path) => (await readFileAt(vault, commit, path))?.toString("utf8") ?? null,
	};
}

export const commitsOf: typeof taskCommits = taskCommits;

function taskCommits(ground: Ground, whole: TaskDefinition) {
	const { run, task, vault, places, log } = ground;
	const messageOf = (subject: string): string =>
		messageWith(subject, { run: run.runId, task: task.id, turn: log.turn });
	return {
		...judgePorts(ground).commits,
		lines: (from: string, to: string) => changedLines(vault, from, to),
		files: async (commit: string): Promise<readonly string[]> =>
			(await filesAt(vault, commit)).map(({ path }) => path),
		texts: async (from: string, to: string): Promise<readonly ChangedText[]> =>
			(await changedTexts(vault, from, to, MAX_TEXTS)).map(({ path, kind, parts }) => ({
				path,
				before: parts === null || kind === "added" ? null : sideOf(parts, "old"),
				after: parts === null || kind === "deleted" ? null : sideOf(parts, "fresh"),
				isRead: parts !== null,
			})),
		changedTexts: (from: string, to: string): Promise<readonly ChangedFileText[]> =>
			changedTexts(vault, from, to, MAX_TEXTS),
		naming: (commit: string, word: string): Promise<readonly string[]> =>
			filesNaming(vault, commit, word),
		/** Tells whether the repository still has a commit; `git gc` removes what no ref holds. */
		isCommit: (commit: string) => isCommit(vault, commit),
		isAncestor: (ancestor: string, commit: string) => isAncestor(vault, ancestor, commit),
		forecast: (ours: string, theirs: string): Promise<MergeForecast> =>
			forecastMerge(vault, ours, theirs),
		leftWork: (start: string): Promise<readonly LeftWork[]> =>
			leftWork(vault, places.player.dir, start),
		snapshot: ({
			checkout,
			subject,
			...at
		}: OwnCommit & Pick<SnapshotRequest, "parent" | "since"> & Pick<CallRecord, "checkout">) =>
			playerSnapshot(places.player, { ...at, message: messageOf(subject) }, checkout),
		ofTask: async (made: Pick<MergeCommit, "tree" | "parents" | "at">) =>
			await ground.commitAsUser({ ...made, message: await taskMessage(ground, whole) }),
		merge: ({ subject, ...made }: OwnCommit & Pick<MergeCommit, "tree" | "parents">) =>
			commitMerge(vault, { ...made, message: messageOf(subject) }),
		withTests: async ({ parent, suites, isWanted, texts, subject, at }: TestsToAdd) => {
			const edits = [];
			for (const suite of suites)
				for (const file of await filesOf(vault, suite)) {
					const text = texts.get(file.path);
					edits.push(text === undefined ? file : { ...file, oid: await writeText(vault, text) });
				}
			const { commit } = await commitEdits(vault, {
				of: parent,
				edits: edits.filter(({ path }) => isWanted(path)),
				parents: [parent],
				message: messageOf(subject),
				at,
			});
			return commit;
		},
	};
}

export interface TestsToAdd extends OwnCommit {
	readonly parent: string;
	readonly suites: readonly Pick<Suite, "commit">[];
	readonly isWanted: (path: string) => boolean;
	readonly texts: ReadonlyMap<string, string>;
}

type Reads = Pick<TaskReader, "calls" | "evidence" | "gateReport">;

// `task` is as agents are told it, so that its texts are masked already.
export async function taskMessage(
	{
		run,
		workflow,
		masker,
		read,
		log,
	}: Pick<Ground, "run" | "workflow" | "masker" | "log"> & {
		readonly read: Reads;
	},
	task: TaskDefinition,
): Promise<string> {
	const { turn } = log;
	const trailers = {
		run: run.runId,
		task: task.id,
		turn,
		agents: agentsText(await callsUpTo(read, turn)),
		evidence: evidenceText(await read.evidence(turn), await read.gateReport(turn)),
	};
	const label = task.featureId;
	const told = { ...task, featureId: label === undefined ? undefined : masker.mask(label) };
	const { subject, body } = taskText(masker.mask(workflow.merge.message), told);
	return messageWith(subject, trailers, body);
}

export function taskText(
	template: string,
	task: TaskDefinition,
): { readonly subject: string; readonly body: string } {
	const whole = oneLine(taskSubject(template, task));
	const over = Array.from(whole).length - MAX_SUBJECT;
	const cut = (title: string): string => {
		const line = oneLine(title);
		return over <= 0 ? line : cutTo(line, Math.max(1, Array.from(line).length - over));
	};
	const subject = oneLine(taskSubject(template, task, cut));
	const { description } = task;
	const isWhole = over <= 0 && template.includes("{title}");
	const rest = isWhole ? splitTitle(task).rest : description;
	const parts = [task, ...(task.subtasks ?? [])];
	const criteria = parts.flatMap(({ acceptanceCriteria }) => acceptanceCriteria.map(oneLine));
	const list = criteria.map((criterion) => `- ${criterion}`).join("\n");
	return { subject, body: [rest, list].join("\n\n") };
}

export function agentsText(
	calls: readonly Pick<CallRecord, "agent" | "role" | "outcome">[],
): string {
	const roles = new Map<string, Set<string>>();
	for (const { agent, role, outcome } of calls) {
		if (outcome === "answered") roles.set(agent, (roles.get(agent) ?? new Set()).add(role));
	}
	return [...roles].map(([agent, own]) => `${agent} (${[...own].join(", ")})`).join(", ");
}

export function evidenceText(
	evidence: readonly Pick<Evidence, "check" | "status">[],
	gate: Pick<GateReport, "risk_tier" | "verdict"> | null,
): string {
	const found = evidence.map(({ check, status }) => `${check} ${status}`);
	const said = gate === null ? [] : [`gate ${gate.risk_tier} ${gate.verdict}`];
	return [...found, ...said].join(", ") || "none";
}

const WORKERS = ["player", "coach", "verifier"] as const;

async function callsUpTo(read: Reads, last: number): Promise<readonly CallRecord[]> {
	const turns = Array.from({ length: last }, (_, index) => index + 1);
	const calls = turns.flatMap((turn) => WORKERS.map((role) => read.calls(turn, role)));
	return (await Promise.all(calls)).flat();
}
