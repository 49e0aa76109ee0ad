import type { LandOptions, LandReport } from "./sparring.ts";

export interface ProposeOptions extends LandOptions {
	/** Name of the remote; default: where the base branch is pushed to, else the only one, else `origin`. */
	readonly remote?: string | undefined;
}

/** What `spar land --pr` did. */
export interface ProposeReport extends Omit<LandReport, "outcome"> {
	/** `proposed`; `already_landed`: the remote's base has it all; `refused` with the reason. */
	readonly outcome: "proposed" | "already_landed" | "refused";
	/** Name of the remote. */
	readonly remote: string;
	/** Whether the remote has the branch with this commit now. */
	readonly pushed: boolean;
	/** Of the pull request, or where one can be opened; null where neither is known. */
	readonly url: string | null;
	/** What was done about the pull request; null: it has to be opened at `url`. */
	readonly pull_request: "opened" | "updated" | null;
}
