import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { type LogPlace, LogView } from "./log-view.tsx";

/** A button that opens what was printed. */
export function OutputOf({ place }: { readonly place: LogPlace }): JSX.Element {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" class="small" onClick={() => setOpen(true)}>
				output
			</button>
			{isOpen && (
				<Dialog title={place.path} close={() => setOpen(false)} isWide={true}>
					<LogView place={place} />
					<div class="dialog-buttons">
						<button type="button" onClick={() => setOpen(false)}>
							Close
						</button>
					</div>
				</Dialog>
			)}
		</>
	);
}
