import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Box that scrolls to its part with `aria-current` whenever one of `changes` is another. The page around it stays where it
 * is, which `scrollIntoView` would move.
 */
export function useShownInside<Box extends HTMLElement>(
	changes: readonly unknown[],
): RefObject<Box | null> {
	const box = useRef<Box>(null);
	useLayoutEffect(() => {
		const shown = box.current?.querySelector("[aria-current]");
		if (box.current === null || shown === null || shown === undefined) return;
		const [outer, inner] = [box.current.getBoundingClientRect(), shown.getBoundingClientRect()];
		box.current.scrollBy(
			inner.left + inner.width / 2 - (outer.left + outer.width / 2),
			inner.top + inner.height / 2 - (outer.top + outer.height / 2),
		);
	}, changes);
	return box;
}
