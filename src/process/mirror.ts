import {
	type Dirent,
	mkdirSync,
	readdirSync,
	readlinkSync,
	rmdirSync,
	statSync,
	symlinkSync,
	unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { attempt } from "../kernel/attempt.ts";

export interface MirrorRequest {
	/** Absolute; where it is missing, nothing is shown. */
	readonly from: string;
	/** Absolute; what is there stays, and stands before what would be shown. */
	readonly to: string;
	/**
	 * Most entries. A folder with more than are left is shown by one link, or left out with `leaveRest`; of one that is in
	 * both as many as are left are shown.
	 */
	readonly limit: number;
	readonly leaveRest?: boolean;
	/** For each path below `from`. A folder is opened by default, a file linked. */
	readonly treat: (path: string) => "default" | "link" | "leave";
}

export interface Mirror {
	/** Takes the links away again, and the folders in which nothing else is. */
	readonly remove: () => void;
	/** Paths below `from` that were written since, as far as they are shown. */
	readonly written: () => readonly string[];
}

/**
 * Shows in one folder what another one has: folders of its own, with links to the files. So what is new goes to the one,
 * and what is there is found in the other.
 */
export function mirror(request: MirrorRequest): Mirror {
	const { from, to } = request;
	const { links, folders } = filled(request);
	// Times of files are behind the clock by up to a tick: they are compared with each other alone.
	const times = new Map([...links, ...folders.keys()].map((path) => [path, timeOf(from, path)]));
	return {
		remove: () => {
			for (const path of links) {
				const isLink = attempt(() => readlinkSync(join(to, path)), null) === join(from, path);
				if (isLink) attempt(() => unlinkSync(join(to, path)), undefined);
			}
			for (const folder of [...folders.keys()].reverse())
				if (folder !== "") attempt(() => rmdirSync(join(to, folder)), undefined);
		},
		written: () => {
			const isLater = (path: string): boolean => timeOf(from, path) !== times.get(path);
			const added = [...folders].flatMap(([folder, known]) =>
				isLater(folder) ? newIn(join(from, folder), known).map((name) => join(folder, name)) : [],
			);
			return [...links.filter(isLater), ...added];
		},
	};
}

const timeOf = (from: string, path: string): bigint =>
	attempt(() => statSync(join(from, path), { bigint: true }).mtimeNs, 0n);

interface Filled {
	readonly links: readonly string[];
	/** Names that each folder had, by its path. */
	readonly folders: ReadonlyMap<string, ReadonlySet<string>>;
}

// The upper folders first, since the limit is for all.
function filled({ from, to, limit, leaveRest = false, treat }: MirrorRequest): Filled {
	const links: string[] = [];
	const folders = new Map<string, ReadonlySet<string>>();
	const waiting = [""];
	let left = limit;
	const link = (path: string): void => {
		if (isLinked(join(from, path), join(to, path))) links.push(path);
	};
	const show = (path: string, opens: boolean): void => {
		const how = treat(path);
		if (how === "default" && opens) waiting.push(path);
		else if (how !== "leave") link(path);
	};
	for (const folder of waiting) {
		const entries = left > 0 ? entriesOf(join(from, folder)) : [];
		const opens = left > 0 && (entries.length <= left || isFolder(join(to, folder)));
		if (opens && isMade(join(to, folder))) {
			folders.set(folder, new Set(entries.map(({ name }) => name)));
			// Of what is in both as much as fits.
			const shown = entries.slice(0, left);
			left -= shown.length;
			for (const entry of shown) show(join(folder, entry.name), entry.isDirectory());
		} else if (!leaveRest) link(folder);
	}
	return { links, folders };
}

// Folders first: more is in them.
const entriesOf = (folder: string): Dirent[] =>
	attempt(() => readdirSync(folder, { withFileTypes: true }), []).toSorted(
		(a, b) => Number(b.isDirectory()) - Number(a.isDirectory()),
	);

const isLinked = (from: string, to: string): boolean =>
	attempt(() => {
		symlinkSync(from, to);
		return true;
	}, false);

const isMade = (path: string): boolean =>
	attempt(() => {
		mkdirSync(path, { recursive: true, mode: 0o700 });
		return true;
	}, false);

const isFolder = (path: string): boolean =>
	statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const newIn = (folder: string, known: ReadonlySet<string>): string[] =>
	attempt(() => readdirSync(folder), []).filter((name) => !known.has(name));
