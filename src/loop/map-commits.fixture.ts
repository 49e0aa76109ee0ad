import { sideOf } from "../git/changed-texts.ts";
import type { Checkout } from "../git/checkout.ts";
import { messageWith } from "../git/message.ts";
import type { Snapshot, SnapshotRequest } from "../git/snapshot.ts";
import { Fault } from "../kernel/fault.ts";
import { branchMovedAway } from "../merge/landing-branches.ts";
import { treeReader } from "../wall/language/languages.ts";
import { recordedPython } from "../wall/language/python-trees.fixture.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { type OwnCommit, type TestsToAdd, taskMessage } from "./commits.ts";
import type { CommitTexts, Ground, TaskRefs } from "./context.ts";
import {
	changesOf,
	type GitOfMaps,
	type MapTree,
	treeIdOf,
	type WrittenFiles,
	withFiles,
} from "./git-of-maps.fixture.ts";
import type { NodeInput } from "./node-input.ts";
import { playerSnapshot } from "./player-snapshot.ts";

/** A checkout in memory: what stands there is a map. Files that `.gitignore` names are left out of a snapshot. */
export class MapCheckout implements Checkout {
	readonly dir: string;
	readonly #git: GitOfMaps;
	#files: MapTree | null = null;
	#made = 0;

	constructor(git: GitOfMaps, dir: string) {
		this.#git = git;
		this.dir = dir;
	}

	/** Files as they stand. @throws Error while there is no directory */
	files(): MapTree {
		if (this.#files === null) throw new Error(`nothing stands at ${this.dir}`);
		return this.#files;
	}

	write(files: WrittenFiles): void {
		this.#files = withFiles(this.files(), files);
	}

	async forceTo(commit: string): Promise<void> {
		this.#files = this.#git.files(commit);
		this.#made += 1;
	}

	async borrowAll(): Promise<void> {}

	async putCopies(): Promise<void> {}

	async id(): Promise<string | null> {
		return this.#files === null ? null : `${this.dir}#${this.#made}`;
	}

	async snapshot({ parent, message, at }: SnapshotRequest): Promise<Snapshot> {
		if (this.#files === null) {
			const gone = `the checkout ${this.dir} is gone`;
			throw new Fault(gone, { code: "checkout-lost" });
		}
		const ignored = ignoredIn(this.#files, [...this.#files.keys()]);
		const files = new Map([...this.#files].filter(([path]) => !ignored.includes(path)));
		const tree = this.#git.writeTree(files);
		const empty = tree === treeIdOf(this.#git.files(parent));
		const commit = empty ? parent : this.#git.write({ tree, parents: [parent], message, at });
		return { commit, tree, empty, embedded: [], leftOut: [], unfit: [], userIgnored: [] };
	}

	async isUnchanged(commit: string): Promise<boolean> {
		return this.#files !== null && treeIdOf(this.#files) === treeIdOf(this.#git.files(commit));
	}

	async changedFiles(commit: string): Promise<readonly string[]> {
		const changes = changesOf(this.#git.files(commit), this.files());
		return changes.filter(({ kind }) => kind !== "added").map(({ path }) => path);
	}

	async untracked(commit: string): Promise<{ ignored: string[]; others: string[] }> {
		const known = this.#git.files(commit);
		const fresh = [...this.files().keys()].filter((path) => !known.has(path));
		const ignored = ignoredIn(this.files(), fresh);
		return { ignored, others: fresh.filter((path) => !ignored.includes(path)) };
	}

	async extras(): Promise<ReadonlyMap<string, string>> {
		return new Map();
	}

	async missingFiles(commit: string): Promise<{ missing: number; of: number }> {
		const paths = [...this.#git.files(commit).keys()];
		const missing = paths.filter((path) => !this.files().has(path)).length;
		return { missing, of: paths.length };
	}

	async remove(): Promise<void> {
		this.#files = null;
	}
}

/** Of the paths those that the `.gitignore` at the top names, by whole names and by `*` at the begin. */
function ignoredIn(files: MapTree, paths: readonly string[]): string[] {
	const rules = (files.get(".gitignore")?.text ?? "").split("\n").filter((line) => line !== "");
	const isNamed =
		(path: string) =>
		(rule: string): boolean => {
			const names = path.split("/");
			if (rule.startsWith("*")) return names.some((name) => name.endsWith(rule.slice(1)));
			return names.includes(rule.replace(/\/$/, ""));
		};
	return paths.filter((path) => rules.some(isNamed(path)));
}

type MapGround = Pick<Ground, "run" | "task" | "workflow" | "masker" | "read" | "log"> & {
	readonly places: { readonly player: Checkout };
};

/** The port through which nodes ask of commits, answered by a git of maps. */
export function mapCommits(
	ground: MapGround,
	whole: TaskDefinition,
	git: GitOfMaps,
): NodeInput["commits"] {
	const { run, task, log } = ground;
	const messageOf = (subject: string): string =>
		messageWith(subject, { run: run.runId, task: task.id, turn: log.turn });
	const isWord = (text: string, word: string): boolean =>
		text.split(word).some((_part, at, parts) => {
			const [before = "", after = ""] = [parts[at], parts[at + 1]];
			return at + 1 < parts.length && !/\w$/.test(before) && !/^\w/.test(after);
		});
	return {
		treeOf: async (commit) => treeIdOf(git.files(commit)),
		changes: async (from, to) => git.changes(from, to),
		textAt: async (commit, path) => git.text(commit, path),
		reader: (commit) => async (path) => git.text(commit, path),
		trees: treeReader(recordedPython),
		ignoredAt: async (commit, paths) => ignoredIn(git.files(commit), paths),
		secrets: () => [],
		countFiles: async (commit) => git.files(commit).size,
		lines: async (from, to) => git.lines(from, to),
		files: async (commit) => [...git.files(commit).keys()],
		texts: async (from, to) =>
			git.changedTexts(from, to).map(({ path, kind, parts }) => ({
				path,
				before: parts === null || kind === "added" ? null : sideOf(parts, "old"),
				after: parts === null || kind === "deleted" ? null : sideOf(parts, "fresh"),
				isRead: parts !== null,
			})),
		changedTexts: async (from, to) => git.changedTexts(from, to),
		naming: async (commit, word) =>
			[...git.files(commit).values()].flatMap(({ path, text }) =>
				isWord(text, word) ? [path] : [],
			),
		isCommit: async (commit) => git.has(commit),
		isAncestor: async (ancestor, commit) => git.history(commit).has(ancestor),
		forecast: async (ours, theirs) => git.forecast(ours, theirs),
		leftWork: async () => [],
		snapshot: ({ checkout, subject, ...at }) =>
			playerSnapshot(ground.places.player, { ...at, message: messageOf(subject) }, checkout),
		ofTask: async (made) =>
			git.write({ ...made, by: run.identity, message: await taskMessage(ground, whole) }),
		merge: async ({ subject, ...made }) => git.write({ ...made, message: messageOf(subject) }),
		withTests: async (tests) => withTests(git, tests, messageOf),
	};
}

function withTests(
	git: GitOfMaps,
	{ parent, suites, isWanted, texts, subject, at }: TestsToAdd,
	messageOf: (subject: OwnCommit["subject"]) => string,
): string {
	const added = suites
		.flatMap(({ commit }) => [...git.files(commit).values()])
		.filter(({ path }) => isWanted(path))
		.map(({ path, text, mode }) => [path, { text: texts.get(path) ?? text, mode }] as const);
	const tree = git.writeTree(withFiles(git.files(parent), Object.fromEntries(added)));
	return git.write({ tree, parents: [parent], message: messageOf(subject), at });
}

/** Texts of the commits of a git of maps. */
export function mapTexts(git: GitOfMaps): CommitTexts {
	return {
		diffs: async (pairs, maxBytes) =>
			pairs.map(({ from, to }) => git.diff(from, to).slice(0, maxBytes)),
		at: async (commit, path) => git.text(commit, path),
	};
}

/** Branches and private refs that a task moves, in a git of maps. */
export function mapRefs(
	git: GitOfMaps,
	task: { readonly branch: string; readonly integration: string; readonly prefix: string },
): TaskRefs {
	const { refs } = git;
	return {
		publish: async (label, commit, previous) => {
			const present = refs.get(task.branch);
			if (present !== commit && (present ?? null) !== previous) {
				const place = { remote: null, branch: task.branch };
				throw branchMovedAway(place, { present, expected: previous });
			}
			refs.set(task.branch, commit).set(`${task.prefix}${label}`, commit);
		},
		keep: async (label, commit) => void refs.set(`${task.prefix}${label}`, commit),
		pushed: async () => null,
		integrationTip: async () => {
			const tip = refs.get(task.integration);
			if (tip === undefined) throw new Error(`there is no branch ${task.integration}`);
			return tip;
		},
		moveIntegration: async (from, to) => {
			if (refs.get(task.integration) !== from) return false;
			refs.set(task.integration, to);
			return true;
		},
	};
}
