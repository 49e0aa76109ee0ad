import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export function Dialog({
	title,
	close,
	children,
	buttons,
	isWide = false,
}: {
	readonly title: string;
	readonly close: () => void;
	readonly children: ComponentChildren;
	/** In place of the one that closes it. */
	readonly buttons?: ComponentChildren;
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
			<div class="dialog-buttons">
				{buttons ?? (
					<button type="button" onClick={close}>
						Close
					</button>
				)}
			</div>
		</dialog>
	);
}
