import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** The one thing that a dialog is there for. */
interface DialogAction {
	readonly name: string;
	readonly isDanger?: boolean;
	readonly isDisabled: boolean;
	readonly act: () => void;
}

export function Dialog({
	title,
	close,
	children,
	action,
	isWide = false,
}: {
	readonly title: string;
	readonly close: () => void;
	readonly children: ComponentChildren;
	/** Left out: the dialog is only closed. */
	readonly action?: DialogAction;
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
				<button type="button" onClick={close}>
					{action === undefined ? "Close" : "Not now"}
				</button>
				{action !== undefined && (
					<button
						type="button"
						class={action.isDanger === true ? "danger" : "primary"}
						disabled={action.isDisabled}
						onClick={action.act}
					>
						{action.name}
					</button>
				)}
			</div>
		</dialog>
	);
}
