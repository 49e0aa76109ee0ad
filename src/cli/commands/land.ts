import { oneLine } from "../../kernel/visible-text.ts";
import type { LandOptions, LandReport } from "../../landing/land-run.ts";
import type { ProposeReport } from "../../landing/propose-run.ts";
import type { Sparring } from "../../library/sparring.ts";
import { VERBS } from "../../library/verbs/table.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { Told } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { usageFault } from "../terminal/option-values.ts";
import { openProgress } from "../terminal/progress.ts";
import type { Shell } from "../terminal/shell.ts";
import { optionsOf, verbCommand } from "../terminal/verb-command.ts";

function renderLanding(report: LandReport): string {
	const at = report.commit === null ? "" : ` at ${report.commit}`;
	const branch = report.remote === null ? report.branch : `${report.remote}/${report.branch}`;
	switch (report.outcome) {
		case "landed":
			return `landed ${report.run_id} on ${branch}${at}${takeBack(report)}`;
		case "already_landed":
			return `${report.run_id} had already landed on ${branch}${at}`;
		case "refused":
			return `not landed on ${branch}: ${oneLine(report.reason ?? "no reason given", 2_000)}`;
	}
}

// Of a remote's branch others may have what landed.
const takeBack = ({ branch, remote }: LandReport): string =>
	remote === null
		? `\nto take it back: git switch ${branch} && git reset --keep ${branch}@{1}`
		: "";

function renderProposal(report: ProposeReport): string {
	const { run_id: run, branch, remote, commit, url, pull_request: done } = report;
	switch (report.outcome) {
		case "refused":
			return `not pushed to ${remote}: ${oneLine(report.reason ?? "no reason given", 2_000)}`;
		case "already_landed":
			return `${remote} already has all of ${run}`;
		case "proposed": {
			const pushed = `pushed ${branch} to ${remote} at ${commit ?? "?"}`;
			if (url === null)
				return `${pushed}\nno web address is known for ${remote}: open a pull request for that branch there by hand, or land the run here: spar land ${run}`;
			const what = done === null ? "open a pull request" : `${done} the pull request`;
			return `${pushed}\n${what}: ${oneLine(url, 2_000)}`;
		}
	}
}

interface LandFlags {
	readonly pr?: boolean;
	readonly remote?: string;
}

async function work(
	sparring: Sparring,
	{ pr, remote }: LandFlags,
	options: LandOptions,
): Promise<Told> {
	if (pr !== true) {
		const report = await sparring.land(options);
		return toldOf(report, renderLanding(report));
	}
	const report = await sparring.propose({ ...options, remote });
	return toldOf(report, renderProposal(report));
}

const toldOf = (json: LandReport | ProposeReport, text: string): Told => {
	return { json, text, code: json.outcome === "refused" ? EXIT.failed : EXIT.done };
};

/** Lands a run, or proposes it, with its progress on standard error. */
export async function landing(
	{
		shell,
		sparring,
		flags,
	}: { readonly shell: Shell; readonly sparring: Sparring; readonly flags: LandFlags },
	runId: string | undefined,
): Promise<number | Told> {
	const progress = await openProgress(shell, { isVerbose: true });
	const onNotice = (text: string): void => progress.onNotice(text);
	const onEvent = (event: StoredEvent): void => {
		// The command's own output says it.
		if (event.type !== "run-landed") progress.onEvent(event);
	};
	const ended = await interruptible(
		shell,
		(signal) => work(sparring, flags, { runId, signal, onEvent, onNotice }),
		onNotice,
	).finally(() => {
		progress.stop();
	});
	if (ended === null) {
		const remote = flags.remote === undefined ? [] : ["--remote", flags.remote];
		const words = ["spar land", runId ?? [], flags.pr === true ? "--pr" : [], remote].flat();
		shell.err.print(`interrupted; state saved. Continue with: ${words.join(" ")}\n`);
		return EXIT.interrupted;
	}
	return ended;
}

export const command = verbCommand<"land", LandFlags>("land", {
	options: {
		"--pr": VERBS.propose.summary,
		...optionsOf({ remote: VERBS.propose.fields.remote }),
	},
	act: async ({ shell, sparring, flags, given: { runId } }) => {
		if (flags.remote !== undefined && flags.pr !== true) {
			throw usageFault(
				"--remote says where a pull request goes, and is given without --pr",
				"Give both: spar land --pr --remote NAME",
			);
		}
		return await landing({ shell, sparring, flags }, runId);
	},
});
