import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Colouring, colouring } from "./colours.ts";
import type { ParsedDiff } from "./parse-diff.ts";

const made = signal<typeof colouring | null>(null);

/** Colours of a diff; null until they are there: the diff is shown without. */
export function useColours(diff: ParsedDiff): Colouring | null {
	const make = made.value;
	useEffect(() => {
		if (made.value === null) {
			void import("./colours.ts").then(
				(loaded) => {
					made.value = loaded.colouring;
				},
				() => undefined,
			);
		}
	}, []);
	return useMemo(() => make?.(diff) ?? null, [make, diff]);
}
