import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { type LogPlace, LogView } from "./log-view.tsx";

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
				</Dialog>
			)}
		</>
	);
}
