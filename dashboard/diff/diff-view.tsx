import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { counted } from "../../src/kernel/counted.ts";
import { getText, type Refusal } from "../net/api.ts";
import { Refused } from "../parts/refused.tsx";
import { VirtualRows } from "../rows/virtual-rows.tsx";
import { LineKind, type ParsedDiff, parseDiff } from "./parse-diff.ts";

// By their numbers.
const CLASSES = Object.keys(LineKind);

const ROW_HEIGHT = 20;
/** A longer line is cut, and says by how much: no row may be wider than a browser can draw. */
const MOST_COLUMNS = 2_000;
const CUT_COLUMNS = 60;

function DiffRow({ line }: { readonly line: ReturnType<ParsedDiff["line"]> }): JSX.Element {
	const left = line.text.length - MOST_COLUMNS;
	return (
		<div class={`diff-row ${CLASSES[line.kind]}`}>
			<span class="number">{line.old ?? ""}</span>
			<span class="number">{line.new ?? ""}</span>
			<code>{left > 0 ? line.text.slice(0, MOST_COLUMNS) : line.text}</code>
			{left > 0 && <strong class="attention"> … {left} more characters: see spar diff</strong>}
		</div>
	);
}

function FileList({
	diff,
	choose,
}: {
	readonly diff: ParsedDiff;
	readonly choose: (line: number) => void;
}): JSX.Element {
	return (
		<details class="diff-files" open={diff.files.length <= 8}>
			<summary>
				{counted(diff.files.length, "file")},{" "}
				<span class="good">+{diff.files.reduce((sum, { added }) => sum + added, 0)}</span>{" "}
				<span class="bad">−{diff.files.reduce((sum, { removed }) => sum + removed, 0)}</span>
			</summary>
			<VirtualRows
				label="Files of the diff"
				of={diff.files}
				rowHeight={26}
				kind="short"
				row={(file) => (
					<button type="button" class="diff-file" key={file.line} onClick={() => choose(file.line)}>
						<code>{file.path}</code>
						<span class="number good">+{file.added}</span>
						<span class="number bad">−{file.removed}</span>
					</button>
				)}
			/>
		</details>
	);
}

function Diff({ text }: { readonly text: string }): JSX.Element {
	const diff = useMemo(() => parseDiff(text), [text]);
	const [shown, setShown] = useState<number | undefined>(undefined);
	if (diff.count === 0) return <p class="dim">No changes.</p>;
	return (
		<div class="diff">
			{diff.files.length > 0 && <FileList diff={diff} choose={setShown} />}
			<VirtualRows
				label="Diff"
				kind="code"
				of={{ length: diff.count, at: (index) => diff.line(index) }}
				rowHeight={ROW_HEIGHT}
				columns={Math.min(diff.longest, MOST_COLUMNS + CUT_COLUMNS)}
				shown={shown}
				row={(line, index) => <DiffRow key={index} line={line} />}
			/>
		</div>
	);
}

export function DiffOf({ path }: { readonly path: string }): JSX.Element {
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
	return text === null ? <p class="dim">Reading the diff …</p> : <Diff text={text} />;
}
