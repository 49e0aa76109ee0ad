import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Name of what the screen shows, for the window's title. */
export const title = signal("");

/** Names the screen for as long as it is there. */
export function useTitle(name: string): void {
	useEffect(() => {
		title.value = name;
	}, [name]);
}
