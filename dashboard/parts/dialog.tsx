import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** A native dialog: open while it is there. Escape and its own buttons close it. */
export function Dialog({
	title,
	close,
	children,
	isWide = false,
}: {
	readonly title: string;
	readonly close: () => void;
	readonly children: ComponentChildren;
	readonly isWide?: boolean;
}): JSX.Element {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	useEffect(() => {
		const element = dialog.current;
		element?.showModal();
		return () => element?.close();
	}, []);
	return (
		<dialog ref={dialog} class={isWide ? "wide" : ""} aria-labelledby={id} onClose={close}>
			<h2 id={id}>{title}</h2>
			{children}
		</dialog>
	);
}
