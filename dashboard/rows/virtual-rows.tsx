import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
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
	/** Stays at the end as rows are added, while it is scrolled there. */
	readonly isFollowing?: boolean;
	/** Characters of the longest row, where rows are wider than the box. */
	readonly columns?: number;
	readonly kind?: string;
}

const SPARE = 12;
const FIRST_HEIGHT = 600;
/** Browsers place nothing further down than this. */
const MOST_PIXELS = 15_000_000;

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
	isFollowing = false,
	columns,
	kind = "",
}: VirtualRowsProps<Row>): JSX.Element {
	const box = useRef<HTMLDivElement>(null);
	const isAtEnd = useRef(true);
	const [scrolled, setScrolled] = useState({ top: 0, height: FIRST_HEIGHT });
	const most = Math.min(of.length, Math.floor(MOST_PIXELS / rowHeight));

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
			measure();
		};
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
		if (element === null) return;
		if (shown !== undefined) {
			const { scrollTop: top, clientHeight: height } = element;
			element.scrollTop = scrollFor(shown, { top, height, rowHeight });
		} else if (isFollowing && isAtEnd.current) {
			element.scrollTop = element.scrollHeight;
		}
	}, [shown, isFollowing, of.length]);

	const { first, end } = rowWindow(most, { ...scrolled, rowHeight }, SPARE);
	const drawn = Array.from({ length: Math.max(0, end - first) }, (_, nth) => {
		const one = of.at(first + nth);
		return one === undefined ? null : row(one, first + nth);
	});
	const width = columns === undefined ? undefined : `max(100%, ${columns + 16}ch)`;
	return (
		<section class={`rows ${kind}`} ref={box} aria-label={label} tabIndex={0}>
			<div class="rows-room" style={{ height: `${most * rowHeight}px`, width }}>
				<div class="rows-seen" style={{ transform: `translateY(${first * rowHeight}px)` }}>
					{drawn}
				</div>
			</div>
		</section>
	);
}
