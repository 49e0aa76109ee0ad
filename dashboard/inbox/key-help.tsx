import type { JSX } from "preact";
import { Dialog } from "../parts/dialog.tsx";

const KEYS = [
	["j, k or ↓, ↑", "next and previous question"],
	["1 to 9", "choose an answer"],
	["Enter", "send the chosen answer; in a text, Ctrl and Enter"],
	["Escape", "leave a text or a dialog"],
	["d", "show or hide the diff"],
	["?", "this list"],
] as const;

export function KeyHelp({ close }: { readonly close: () => void }): JSX.Element {
	return (
		<Dialog title="Keys" close={close}>
			<table class="grid">
				<tbody>
					{KEYS.map(([key, does]) => (
						<tr key={key}>
							<th scope="row">
								<kbd>{key}</kbd>
							</th>
							<td>{does}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Dialog>
	);
}
