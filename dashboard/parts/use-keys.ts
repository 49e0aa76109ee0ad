import { useEffect } from "preact/hooks";

export type Keys = Readonly<Record<string, () => void>>;

const isTyping = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement &&
	(target.isContentEditable ||
		target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])"));

const hasOwnUse = (key: string, target: EventTarget | null): boolean => {
	if (!(target instanceof HTMLElement)) return false;
	if (key === "Enter") return target.matches("a, button, summary, input");
	return key.startsWith("Arrow") && target.matches("input, .rows.code, .rows.log");
};

/** Listens to keys while the component is there; not while text is typed, a dialog is open, or another key is held. */
export function useKeys(keys: Keys): void {
	useEffect(() => {
		const pressed = (event: KeyboardEvent): void => {
			if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
			if (hasOwnUse(event.key, event.target)) return;
			const act = keys[event.key];
			if (act === undefined || document.querySelector("dialog[open]") !== null) return;
			event.preventDefault();
			act();
		};
		addEventListener("keydown", pressed);
		return () => removeEventListener("keydown", pressed);
	});
}
