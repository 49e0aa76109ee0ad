import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../src/kernel/counted.ts";
import { Badge } from "../parts/badge.tsx";
import { type Spot, spotLink } from "../route.ts";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import type { DiffFile } from "./parse-diff.ts";
import { seen } from "./seen.ts";

/** A file with more changed lines is folded at first. */
const MANY_LINES = 400;

export function Counts({ added, removed }: Pick<DiffFile, "added" | "removed">): JSX.Element {
	return (
		<span class="number">
			<span class="good">+{added}</span> <span class="bad">−{removed}</span>
		</span>
	);
}

/** State of the files: shown with their lines, viewed. */
export interface Folds {
	readonly isOpen: (file: DiffFile) => boolean;
	readonly isViewed: (file: DiffFile) => boolean;
	readonly fold: (file: DiffFile, isOpen: boolean) => void;
	readonly foldAll: (isOpen: boolean) => void;
	readonly view: (file: DiffFile, isViewed: boolean) => void;
}

interface FileHeadProps {
	readonly file: DiffFile;
	readonly notes: number;
	readonly at: Spot;
	readonly folds: Folds;
}

export function FileHead({ file, notes, at, folds }: FileHeadProps): JSX.Element {
	const isOpen = folds.isOpen(file);
	const { path, from, status, isBinary } = file;
	return (
		<div class="diff-row">
			<div class="diff-head">
				<button type="button" aria-expanded={isOpen} onClick={() => folds.fold(file, !isOpen)}>
					<span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
					<code class="cut">{from === null ? path : `${from} → ${path}`}</code>
				</button>
				{status !== "changed" && <Badge word={status} tone="quiet" />}
				{isBinary && <Badge word="binary" />}
				{notes > 0 && <Badge word="notes" text={counted(notes, "note")} tone="attention" />}
				<Counts {...file} />
				<a href={spotLink({ ...at, file: path, line: null })} aria-label={`Address of ${path}`}>
					#
				</a>
				<label>
					<input
						type="checkbox"
						aria-label={`${path} is viewed`}
						checked={folds.isViewed(file)}
						onChange={({ currentTarget }) => folds.view(file, currentTarget.checked)}
					/>{" "}
					viewed
				</label>
			</div>
		</div>
	);
}

interface FileListProps {
	readonly files: readonly DiffFile[];
	readonly folds: Folds;
	readonly choose: (file: DiffFile) => void;
}

export function FileList({ files, folds, choose }: FileListProps): JSX.Element {
	const viewed = files.filter(folds.isViewed).length;
	const sum = (of: "added" | "removed"): number => files.reduce((all, file) => all + file[of], 0);
	return (
		<details class="diff-files" open={files.length > 1 && files.length <= 8}>
			<summary>
				{counted(files.length, "file")}, <Counts added={sum("added")} removed={sum("removed")} />
				{viewed > 0 && `, ${viewed} of ${files.length} viewed`}
			</summary>
			<VirtualRows
				label="Files of the diff"
				of={files}
				rowHeight={26}
				kind="short"
				row={(file) => (
					<button type="button" class="diff-file" key={file.line} onClick={() => choose(file)}>
						<code>{file.path}</code>
						<Counts {...file} />
					</button>
				)}
			/>
			<div class="toolbar">
				<button type="button" class="small" onClick={() => folds.foldAll(false)}>
					Fold all
				</button>
				<button type="button" class="small" onClick={() => folds.foldAll(true)}>
					Unfold all
				</button>
			</div>
		</details>
	);
}

/** Shows files as the reader said; else those that are neither long nor viewed. */
export function useFolds(files: readonly DiffFile[], task: readonly string[]): Folds {
	const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map());
	// What was seen changes in place.
	const [, setVersion] = useState(0);
	const contentOf = ({ status, content }: DiffFile): string => `${status} ${content}`;
	const isViewed = (file: DiffFile): boolean =>
		seen.get("file", ...task, file.path) === contentOf(file);
	const isMany = ({ added, removed }: DiffFile): boolean => added + removed > MANY_LINES;
	const fold = (file: DiffFile, isOpen: boolean): void =>
		setSaid((before) => new Map(before).set(file.path, isOpen));
	return {
		isViewed,
		isOpen: (file: DiffFile) => said.get(file.path) ?? !(isMany(file) || isViewed(file)),
		fold,
		foldAll: (isOpen: boolean) => setSaid(new Map(files.map(({ path }) => [path, isOpen]))),
		view: (file: DiffFile, isIt: boolean) => {
			seen.put(isIt ? contentOf(file) : null, "file", ...task, file.path);
			setVersion((version) => version + 1);
			fold(file, !isIt);
		},
	};
}
