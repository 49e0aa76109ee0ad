import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { counted } from "../../src/kernel/counted.ts";
import { getText, type Refusal } from "../net/api.ts";
import { Badge } from "../parts/badge.tsx";
import { Refused } from "../parts/refused.tsx";
import { type Spot, spotLink } from "../route.ts";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import type { Token } from "./colours.ts";
import { Counts, FileHead, FileList, type Folds, useFolds } from "./diff-files.tsx";
import {
	type DiffNote,
	type DrawnRow,
	diffRows,
	lineAt,
	type PlacedNotes,
	placeNotes,
	placeText,
	ROOM,
} from "./diff-rows.ts";
import {
	type DiffFile,
	type DiffLine,
	LineKind,
	type ParsedDiff,
	parseDiff,
} from "./parse-diff.ts";
import { useColours } from "./use-colours.ts";

// By their numbers.
const CLASSES = Object.keys(LineKind);

const ROW_HEIGHT = 20;
/** Rows above a line that was asked for: the file's name stands over the first two. */
const LEAD = 4;
/** A longer line is cut, and says by how much: no row may be wider than a browser can draw. */
const MOST_COLUMNS = 2_000;
const CUT_COLUMNS = 60;
const MOST_NOTE_ROWS = 9;
const LETTER_WIDTH = 7;

const remarkOf = ({ turn, line }: DiffNote): string => {
	if (turn === null) return "";
	return `said in turn ${turn}${line === null ? "" : ` of what was line ${line}`}`;
};

/** Rows that a note takes in a box of some width; what does not fit is scrolled to. */
function noteRows(note: DiffNote, width: number): number {
	const letters = Math.max(24, Math.floor((width - 60) / LETTER_WIDTH));
	const head = `${note.id} ${note.words.join("      ")} ${remarkOf(note)}`;
	const lines = [head, ...note.text.split("\n")].reduce(
		(sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)),
		0,
	);
	return Math.min(MOST_NOTE_ROWS, lines + 1);
}

function LineNumber({ of, at }: { readonly of: number | null; readonly at: Spot }): JSX.Element {
	return of === null ? (
		<span />
	) : (
		<a class="number" tabIndex={-1} href={spotLink(at)}>
			{of}
		</a>
	);
}

function Code({
	line: { kind, text },
	tokens,
}: {
	readonly line: DiffLine;
	readonly tokens: readonly Token[] | undefined;
}): JSX.Element {
	if (kind === LineKind.hunk) return <code>⋯{text.slice(text.indexOf("@@", 2) + 2)}</code>;
	if (kind === LineKind.remark) return <code>{text.slice(0, MOST_COLUMNS)}</code>;
	return (
		<code>
			<span class="sign">{text.slice(0, 1)}</span>
			{tokens?.map((token, index) =>
				token.kind === "" ? (
					token.text
				) : (
					<span key={index} class={`t-${token.kind}`}>
						{token.text}
					</span>
				),
			) ?? text.slice(1, MOST_COLUMNS)}
		</code>
	);
}

function DiffRow({
	line,
	tokens,
	at,
	isTarget,
	comment,
}: {
	readonly line: DiffLine;
	readonly tokens: readonly Token[] | undefined;
	readonly at: Spot;
	readonly isTarget: boolean;
	readonly comment: DiffProps["comment"];
}): JSX.Element {
	const left = line.text.length - MOST_COLUMNS;
	const number = line.new ?? -(line.old ?? 0);
	return (
		<div class={`diff-row ${CLASSES[line.kind]}${isTarget ? " target" : ""}`}>
			<LineNumber of={line.old} at={{ ...at, line: -(line.old ?? 0) }} />
			<LineNumber of={line.new} at={{ ...at, line: line.new }} />
			<Code line={line} tokens={tokens} />
			{comment !== undefined && at.file !== null && number !== 0 && (
				<button
					type="button"
					class="add-comment"
					tabIndex={-1}
					aria-label={`Comment on ${placeText(at.file, number)}`}
					onClick={() => comment(at.file ?? "", number)}
				>
					+
				</button>
			)}
			{left > 0 && <strong class="attention"> … {left} more characters: see spar diff</strong>}
		</div>
	);
}

function NoteCard({
	note,
	height,
}: {
	readonly note: DiffNote;
	/** In CSS pixels; left out: its own. */
	readonly height?: number;
}): JSX.Element {
	const { id, words, text, tone, isFinding } = note;
	return (
		<div
			class={`diff-note card edge ${tone}`}
			tabIndex={0}
			style={{ height: height && `${height}px` }}
		>
			<p>
				{isFinding ? <a href={spotLink({ finding: id })}>{id}</a> : <strong>{id}</strong>}{" "}
				{words.map((word) => (
					<Badge key={word} word={word} />
				))}{" "}
				<span class="dim">{remarkOf(note)}</span>
			</p>
			<p class="words">{text}</p>
		</div>
	);
}

function useWidth(): readonly [box: { current: HTMLDivElement | null }, width: number] {
	const box = useRef<HTMLDivElement>(null);
	const [width, setWidth] = useState(800);
	useEffect(() => {
		const element = box.current;
		if (element === null) return;
		const observer = new ResizeObserver(() => setWidth(element.clientWidth));
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return [box, width];
}

interface DiffProps {
	/** Run and task, whose viewed files are remembered. */
	readonly task: readonly [run: string, task: string];
	readonly notes: readonly DiffNote[];
	readonly at: Spot;
	/** Where the diff begins while the address names no place in it; a file that is folded stays so. */
	readonly begin?: Pick<Spot, "file" | "line">;
	/** Asks for a comment on a line: of the new side, or below 0 of the old one. Left out: nobody is told of any. */
	readonly comment?: ((file: string, line: number) => void) | undefined;
	/** Called with the count of files, and of those that were viewed, whenever one of them changes. */
	readonly onViewed?: (viewed: number, of: number) => void;
}

interface LinesProps extends Pick<DiffProps, "comment"> {
	/** Line that comes into view. */
	readonly first: number | null;
	readonly diff: ParsedDiff;
	readonly folds: Folds;
	readonly placed: PlacedNotes;
	/** The line that the address names. */
	readonly target: number | null;
	/** Rises when a file was asked for again. */
	readonly asked: number;
	readonly at: Spot;
	/** Of the box, in CSS pixels. */
	readonly width: number;
}

function Lines({
	diff,
	folds,
	placed,
	target,
	asked,
	at,
	width,
	comment,
	first,
}: LinesProps): JSX.Element {
	const colour = useColours(diff);
	const heightOf = (note: DiffNote): number => noteRows(note, width);
	const rows = diffRows(diff, { isOpen: folds.isOpen, placed, heightOf });
	const shown = first === null ? ROOM : rows.indexOf(first);
	const fileOf = (line: number): DiffFile | undefined =>
		diff.files.findLast((file) => file.line <= line);
	const draw = (row: DrawnRow, index: number): JSX.Element => {
		if (row === ROOM) return <div key={index} class="diff-row room" />;
		if (typeof row === "object") {
			return (
				<div key={index} class="diff-row">
					<NoteCard note={row} height={heightOf(row) * ROW_HEIGHT} />
				</div>
			);
		}
		const file = fileOf(row);
		if (file?.line === row) {
			const own = [...placed.at].filter(([line]) => fileOf(line) === file);
			const notes = own.reduce((sum, [, those]) => sum + those.length, 0);
			return <FileHead key={index} file={file} notes={notes} at={at} folds={folds} />;
		}
		return (
			<DiffRow
				key={index}
				line={diff.line(row)}
				tokens={file && colour?.(row, file.path)}
				at={{ ...at, file: file?.path ?? null }}
				isTarget={row === target}
				comment={comment}
			/>
		);
	};
	/** The name of the file whose head is above the box. */
	const pinned = (first: number): JSX.Element | null => {
		const head = rows.findLastIndex(
			(row, index) =>
				index <= first && typeof row === "number" && row >= 0 && diff.kind(row) === LineKind.file,
		);
		const row = rows[head];
		const file = typeof row === "number" ? fileOf(row) : undefined;
		if (file === undefined || head === first) return null;
		return (
			<div class="diff-head" aria-hidden="true">
				<code class="cut">{file.path}</code> <Counts {...file} />
			</div>
		);
	};
	return (
		<VirtualRows
			label="Diff"
			kind="code"
			of={rows}
			rowHeight={ROW_HEIGHT}
			columns={Math.min(diff.longest, MOST_COLUMNS + CUT_COLUMNS)}
			shown={shown < 0 ? undefined : shown}
			asked={`${first} ${shown >= 0} ${asked}`}
			lead={LEAD}
			movesPage={target !== null}
			pinned={pinned}
			row={draw}
		/>
	);
}

const NO_PLACE = { file: null, line: null };

function Diff({
	text,
	task,
	notes,
	at,
	begin = NO_PLACE,
	comment,
	onViewed,
}: DiffProps & { readonly text: string }): JSX.Element {
	const diff = useMemo(() => parseDiff(text), [text]);
	const { files } = diff;
	const folds = useFolds(files, task);
	const [box, width] = useWidth();
	const [asked, setAsked] = useState(0);
	const placed = useMemo(() => placeNotes(diff, notes), [diff, notes]);
	const wanted = files.find(({ path }) => path === at.file);
	const placeOf = ({ file: name, line }: Pick<Spot, "file" | "line">): number | null => {
		const file = files.find(({ path }) => path === name);
		return file === undefined ? null : lineAt(diff, file, line);
	};
	const target = placeOf(at);
	useEffect(() => {
		if (wanted !== undefined) folds.fold(wanted, true);
	}, [wanted, at.line, asked]);
	const viewed = files.filter(folds.isViewed).length;
	useEffect(() => onViewed?.(viewed, files.length), [viewed, files.length]);
	if (diff.count === 0) return <p class="dim">No changes.</p>;
	const choose = ({ path: file }: DiffFile): void => {
		location.hash = spotLink({ ...at, file, line: null, finding: null });
		setAsked((times) => times + 1);
	};
	return (
		<div class="diff" ref={box}>
			{files.length > 0 && <FileList files={files} folds={folds} choose={choose} />}
			{placed.elsewhere.length > 0 && (
				<details>
					<summary>{counted(placed.elsewhere.length, "note")} on no line of this diff</summary>
					{placed.elsewhere.map((note) => (
						<NoteCard key={note.id} note={note} />
					))}
				</details>
			)}
			<Lines
				diff={diff}
				folds={folds}
				placed={placed}
				target={target}
				first={target ?? placeOf(begin)}
				asked={asked}
				at={at}
				width={width}
				comment={comment}
			/>
		</div>
	);
}

export function DiffOf({ path, ...rest }: DiffProps & { readonly path: string }): JSX.Element {
	const [text, setText] = useState<string | null>(null);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	useEffect(() => {
		let isOver = false;
		setText(null);
		setRefusal(null);
		void getText(path).then((reply) => {
			if (isOver) return;
			if (reply.ok) setText(reply.value);
			else setRefusal(reply.refusal);
		});
		return () => {
			isOver = true;
		};
	}, [path]);
	if (refusal !== null) return <Refused refusal={refusal} />;
	return text === null ? <p class="dim">Reading the diff …</p> : <Diff text={text} {...rest} />;
}
