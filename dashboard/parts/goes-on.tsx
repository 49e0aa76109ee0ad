import type { JSX } from "preact";
import type { Standing } from "../../src/words/standing.ts";
import { ActionButton } from "../run/action-button.tsx";

/** Notice of an answer that no process has acted on, with the button that makes it go on; null in any other state. */
export function GoesOn({
	run,
	standing,
}: {
	readonly run: string;
	readonly standing: Standing;
}): JSX.Element | null {
	if (standing.word !== "answered") return null;
	return (
		<div class="notice live title-line" role="status">
			<span>
				<strong>Answered</strong>: {standing.remark}
			</span>
			<ActionButton run={run} action="resume" isMain={true} />
		</div>
	);
}
