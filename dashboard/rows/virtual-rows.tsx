import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../src/kernel/counted.ts";
import { keepTop, keptTop } from "../scrolls.ts";
import { rowWindow, scrollFor } from "./row-window.ts";

interface VirtualRowsProps<Row> {
	/** Says what the box holds, to those who do not see it. */
	readonly label: string;
	readonly of: { readonly length: number; at(index: number): Row | undefined };
	/** In CSS pixels; every row has it. */
	readonly rowHeight: number;
	readonly row: (row: Row, index: number) => ComponentChildren;
	/** A row to bring into view when it changes. */
	readonly shown?: number | undefined;
	/** Another one brings the shown row into view once more; default: the row itself. */
	readonly asked?: string;
	/** Rows above the shown one, where it comes into view. */
	readonly lead?: number;
	/** The page is scrolled to the box as well. */
	readonly movesPage?: boolean;
	/** Stays at the end as rows are added, while it is scrolled there. */
	readonly isFollowing?: boolean;
	/** Stands at the top of the box, by the first row in view. */
	readonly pinned?: (first: number) => ComponentChildren;
	/** Characters of the longest row, where rows are wider than the box. */
	readonly columns?: number;
	readonly kind?: string;
}

const SPARE = 12;
const FIRST_HEIGHT = 600;
/** Browsers place nothing further down than this. */
const MOST_PIXELS = 15_000_000;
const MOST_PRINTED = 3_000;

const paper = matchMedia("print");
const isPrinting = signal(paper.matches);
paper.addEventListener("change", ({ matches }) => {
	isPrinting.value = matches;
});

function Foot({
	fresh,
	toEnd,
}: {
	/** Rows that came since the reader left the end; null: the reader is there. */
	readonly fresh: number | null;
	readonly toEnd: () => void;
}): JSX.Element {
	return (
		<p class="rows-foot dim">
			{fresh === null ? (
				"following"
			) : (
				<button type="button" class="small" onClick={toEnd}>
					{fresh > 0 ? counted(fresh, "new line") : "to the end"} ↓
				</button>
			)}
		</p>
	);
}

/**
 * Rows of one height in a box that scrolls. Only those in view are in the document, however many there are. The box takes
 * the height of its rows up to the limit that the style sheet sets.
 */
export function VirtualRows<Row>({
	label,
	of,
	rowHeight,
	row,
	shown,
	asked,
	lead = 0,
	movesPage = false,
	isFollowing = false,
	pinned,
	columns,
	kind = "",
}: VirtualRowsProps<Row>): JSX.Element {
	const box = useRef<HTMLDivElement>(null);
	const [scrolled, setScrolled] = useState({ top: 0, height: FIRST_HEIGHT });
	/** Rows that were there when the reader left the end; null: at the end. */
	const [left, setLeft] = useState<number | null>(null);
	const isAtEnd = useRef(true);
	const length = useRef(of.length);
	length.current = of.length;
	const most = Math.min(of.length, Math.floor(MOST_PIXELS / rowHeight));
	const toEnd = (): void => {
		if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
	};

	useLayoutEffect(() => {
		const element = box.current;
		if (element === null) return;
		const measure = (): void => {
			const { scrollTop: top, clientHeight: height } = element;
			setScrolled((old) => (old.top === top && old.height === height ? old : { top, height }));
		};
		const moved = (): void => {
			const { scrollTop, clientHeight, scrollHeight } = element;
			isAtEnd.current = scrollTop + clientHeight >= scrollHeight - rowHeight;
			setLeft((old) => (isAtEnd.current ? null : (old ?? length.current)));
			keepTop(label, scrollTop);
			measure();
		};
		const kept = keptTop(label);
		if (kept !== undefined) {
			element.scrollTop = kept;
			moved();
		}
		element.addEventListener("scroll", moved, { passive: true });
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		measure();
		return () => {
			element.removeEventListener("scroll", moved);
			observer.disconnect();
		};
	}, [rowHeight]);

	useLayoutEffect(() => {
		const element = box.current;
		if (element === null || shown === undefined) return;
		const { scrollTop: top, clientHeight: height } = element;
		if (movesPage) element.scrollIntoView({ block: "nearest" });
		element.scrollTop = scrollFor(shown, { top, height, rowHeight }, lead);
	}, [asked ?? shown]);

	useLayoutEffect(() => {
		if (isFollowing && isAtEnd.current) toEnd();
	}, [isFollowing, of.length]);

	const isPaper = isPrinting.value;
	const { first, end } = isPaper
		? { first: 0, end: Math.min(most, MOST_PRINTED) }
		: rowWindow(most, { ...scrolled, rowHeight }, SPARE);
	const drawn = Array.from({ length: Math.max(0, end - first) }, (_, nth) => {
		const one = of.at(first + nth);
		return one === undefined ? null : row(one, first + nth);
	});
	const width = columns === undefined ? undefined : `max(100%, ${columns + 16}ch)`;
	const room = isPaper ? {} : { height: `${most * rowHeight}px`, width };
	const seen = isPaper ? {} : { transform: `translateY(${first * rowHeight}px)` };
	const fresh = left === null ? null : Math.max(0, of.length - left);
	return (
		<>
			<section class={`rows ${kind}`} ref={box} aria-label={label} tabIndex={0}>
				{pinned && <div class="rows-pinned">{pinned(Math.floor(scrolled.top / rowHeight))}</div>}
				<div class="rows-room" style={room}>
					<div class="rows-seen" style={seen}>
						{drawn}
					</div>
				</div>
			</section>
			{isFollowing && <Foot fresh={fresh} toEnd={toEnd} />}
		</>
	);
}
