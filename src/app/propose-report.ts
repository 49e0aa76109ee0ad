import type { UndoneWork } from "../merge/undone-work.ts";

/** What `spar land --pr` did. */
export interface ProposeReport {
	readonly run_id: string;
	/** `proposed`; `already_landed`: the remote's base has it all; `refused` with the reason. */
	readonly outcome: "proposed" | "already_landed" | "refused";
	/** The integration branch, which has the same name on the remote. */
	readonly branch: string;
	readonly commit: string | null;
	readonly reason: string | null;
	/** As a landing has it. */
	readonly undone: readonly UndoneWork[];
	/** Name of the remote. */
	readonly remote: string;
	/** Whether the remote has the branch with this commit now. */
	readonly pushed: boolean;
	/** Of the pull request, or where one can be opened; null where neither is known. */
	readonly url: string | null;
	/** What was done about the pull request; null: it has to be opened at `url`. */
	readonly pull_request: "opened" | "updated" | null;
}
