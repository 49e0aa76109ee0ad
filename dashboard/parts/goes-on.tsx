import type { JSX } from "preact";
import type { Standing } from "../../src/words/standing.ts";
import { ActionButton } from "../run/action-button.tsx";

/** Notice of an answer that no process has acted on, with the button that makes it go on; null in any other state. */
export function GoesOn({
	run,
	standing,
	holder,
}: {
	readonly run: string;
	readonly standing: Standing;
	/** The process that works on the run, and takes the answer up. */
	readonly holder: string | null;
}): JSX.Element | null {
	if (standing.word !== "answered") return null;
	return (
		<div class="notice live title-line" role="status">
			<span>
				<strong>Answered</strong>: {holder === null ? standing.remark : `${holder} takes it up`}
			</span>
			{holder === null && <ActionButton run={run} action="resume" isMain={true} />}
		</div>
	);
}
