/*
 * Scroll offsets of screens and their boxes, by entry of the browser's history: Back shows them as they were left. The
 * browser's own way comes too early, before what is shown has been read.
 */
const tops = new Map<string, number>();
const LONGEST_MS = 3_000;
const SETTLED_MS = 400;

let entry = "";
let count = 0;
/** Offset to reach once the page is high enough; null: the reader scrolls. */
let wanted: number | null = null;

export const keepTop = (what: string, top: number): void => void tops.set(`${entry} ${what}`, top);

export const keptTop = (what: string): number | undefined => tops.get(`${entry} ${what}`);

/** Scrolls there, and again for as long as what is shown is still being read and drawn. */
function reach(top: number): void {
	const startedAt = performance.now();
	let missedAt = startedAt;
	wanted = top;
	const step = (): void => {
		if (wanted !== top) return;
		const now = performance.now();
		if (Math.abs(scrollY - top) >= 2) missedAt = now;
		scrollTo(0, top);
		if (now - missedAt > SETTLED_MS || now - startedAt > LONGEST_MS) wanted = null;
		else requestAnimationFrame(step);
	};
	step();
}

/** Enters the address that is shown now; `isOther` says that it is another screen, which begins at its top. */
export function enterAddress(isOther: boolean): void {
	// A state is written here alone.
	const state = history.state as { readonly entry?: string } | null;
	if (state?.entry === undefined) {
		count += 1;
		entry = `${performance.timeOrigin} ${count}`;
		history.replaceState({ entry }, "");
		if (isOther) scrollTo(0, 0);
		return;
	}
	entry = state.entry;
	const kept = keptTop("page");
	// After a reload nothing is known, and the place that the address names comes first.
	if (kept !== undefined) reach(kept);
}

export function keepScrolls(): void {
	history.scrollRestoration = "manual";
	addEventListener("scroll", () => wanted ?? keepTop("page", scrollY), { passive: true });
	for (const act of ["wheel", "touchmove", "pointerdown", "keydown"]) {
		addEventListener(act, () => (wanted = null), { passive: true });
	}
}
