import { type PreflightProblem, preflightText } from "../../drive/preflight-problem.ts";
import type { ResumeOptions, Supervision } from "../../drive/run-options.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import { visibleText } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport } from "../../view/report.ts";
import type { Answered } from "./answer-waiting.ts";
import { EXIT, exitCodeOfReport } from "./exit-code.ts";
import { followRun, withoutEnd } from "./follow-run.ts";
import { tellGithub } from "./github-actions.ts";
import { interruptible } from "./interrupt.ts";
import { type Paint, paintFor } from "./paint.ts";
import { isSet, openProgress } from "./progress.ts";
import { renderDiff } from "./render-diff.ts";
import { renderError } from "./render-error.ts";
import { NO_LINES } from "./render-progress.ts";
import { showEnd } from "./render-report.ts";
import { type Outlet, printJson, type Shell } from "./shell.ts";
import type { LineReader } from "./terminal-reader.ts";

export interface OutputFlags {
	readonly json?: boolean;
	readonly events?: boolean;
	readonly ui?: boolean;
	readonly verbose?: boolean;
	/** The work of a run that is done lands at once. */
	readonly land?: boolean;
	readonly pr?: boolean;
}

// Somebody types and reads, no CI runs this, and standard output is not read by a program.
export function canAskPerson(
	shell: Pick<Shell, "env" | "err" | "isTyped">,
	flags: OutputFlags,
): boolean {
	const forProgram = flags.json === true || flags.events === true;
	return shell.isTyped && shell.err.isTTY && !forProgram && !isSet(shell.env["CI"]);
}

export interface Supervised {
	readonly sparring: Sparring;
	readonly work: (supervision: Supervision) => Promise<RunReport>;
	readonly knownRun?: string | undefined;
	// Holds also when the run goes on after an answer.
	readonly again?: Pick<ResumeOptions, "anyway" | "maxParallel"> | undefined;
}

function printReport(
	shell: Shell,
	flags: OutputFlags,
	report: RunReport,
	named: string | undefined,
): void {
	if (flags.json === true && flags.events === true) {
		shell.out.write(`${JSON.stringify(report)}\n`);
	} else if (flags.json === true) {
		printJson(shell, report);
	} else {
		const outlet = flags.events === true ? shell.err : shell.out;
		const lands = flags.land === true || flags.pr === true;
		const goesOn = lands && report.status === "completed";
		showEnd(shell, outlet, { report, isVerbose: flags.verbose, goesOn, named });
	}
}

async function askBeforehand(
	shell: Shell,
	problems: readonly PreflightProblem[],
): Promise<boolean> {
	const reader = await shell.openReader();
	try {
		const paint = paintFor(shell.err, shell.env);
		return await askPreflight(problems, { reader, outlet: shell.err, paint });
	} finally {
		reader.close();
	}
}

async function watch(
	shell: Shell,
	flags: OutputFlags,
	{ sparring, work, knownRun }: Supervised,
): Promise<RunReport | null> {
	let run = knownRun;
	const progress = await openProgress(shell, {
		printsEvents: flags.events,
		isVerbose: flags.verbose,
		readLines: async (tasks) =>
			run === undefined ? NO_LINES : await sparring.lastSaid(run, tasks),
	});
	const onEvent = (event: StoredEvent): void => {
		run = event.run;
		if (flags.events === true) shell.out.write(`${JSON.stringify(event)}\n`);
		// The report that follows says it too.
		if (event.type !== "run-ended" || flags.json === true) progress.onEvent(event);
	};
	const watching = {
		onEvent,
		onHistory: (events: readonly StoredEvent[]): void => progress.onHistory(events),
		onNotice: (text: string): void => progress.onNotice(text),
		onPreflight: canAskPerson(shell, flags)
			? (problems: readonly PreflightProblem[]) =>
					progress.whileStill(() => askBeforehand(shell, problems))
			: undefined,
	};
	const ended = await interruptible(
		shell,
		(signal) => work({ ...watching, signal }),
		watching.onNotice,
	).finally(() => {
		progress.stop();
	});
	if (ended !== null) return ended;
	shell.err.print(
		run === undefined
			? "interrupted before a run started\n"
			: `interrupted; state saved. Continue with: spar resume ${run}\n`,
	);
	return null;
}

// Another process may have been faster: then it is followed there.
async function goOn(
	shell: Shell,
	flags: OutputFlags,
	supervised: Supervised & { readonly knownRun: string },
): Promise<RunReport | null> {
	const { sparring, knownRun } = supervised;
	try {
		return await watch(shell, flags, supervised);
	} catch (error) {
		if (!(error instanceof Fault && error.code === "run-held")) throw error;
		shell.err.print(`${error.message}; its progress is shown here, Ctrl-C ends this view only\n`);
	}
	const progress = await openProgress(shell, {
		isVerbose: flags.verbose,
		readLines: (tasks) => sparring.lastSaid(knownRun, tasks),
	});
	let isFirst = true;
	// What was shown here before the question comes first, and only then.
	const past = (events: readonly StoredEvent[]): number => {
		const since = isFirst ? events.findLastIndex(({ type }) => type === "run-ended") + 1 : 0;
		isFirst = false;
		return since;
	};
	const report = await sparring.status(knownRun);
	return await followRun({ shell, sparring, past }, report, withoutEnd(progress));
}

async function showDiffOf(
	shell: Shell,
	sparring: Sparring,
	{ taskId, runId }: HumanItem,
): Promise<void> {
	const paint = paintFor(shell.err, shell.env);
	let text: string;
	try {
		text = renderDiff(await sparring.diff(taskId, { runId }), paint) || "no difference\n";
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		text = renderError(error, paint);
	}
	if (shell.out.isTTY) await shell.showLong(text);
	else shell.err.print(text);
}

async function ask(
	shell: Shell,
	sparring: Sparring,
	report: RunReport,
	leftBefore: readonly string[],
): Promise<Answered> {
	const { answerWaiting } = await import("./answer-waiting.ts");
	const reader = await shell.openReader();
	try {
		const paint = paintFor(shell.err, shell.env);
		const showDiff = (item: HumanItem): Promise<void> =>
			reader.yieldTo(() => showDiffOf(shell, sparring, item));
		const conversation = { reader, outlet: shell.err, paint, showDiff };
		const asked = await answerWaiting(sparring, report, conversation, leftBefore);
		// Ctrl-C leaves the cursor behind the prompt.
		if (asked.stopped) shell.err.print("\n");
		return asked;
	} finally {
		reader.close();
	}
}

// A question that was left is not asked again.
export async function superviseRun(
	shell: Shell,
	flags: OutputFlags,
	{ sparring, work, knownRun, again }: Supervised,
): Promise<number> {
	const canAsk = canAskPerson(shell, flags) && flags.ui !== true;
	let report = await watch(shell, flags, { sparring, work, knownRun });
	let left: readonly string[] = [];
	while (report?.status === "paused_for_user_escalation" && canAsk) {
		const asked = await ask(shell, sparring, report, left);
		if (asked.stopped || asked.answered === 0) break;
		left = asked.left;
		const { run_id: runId } = report;
		report = await goOn(shell, flags, {
			sparring,
			work: (supervision) => sparring.resume({ runId, ...again, ...supervision }),
			knownRun: runId,
		});
	}
	if (report === null) return EXIT.interrupted;
	printReport(shell, flags, report, knownRun);
	await tellGithub(shell, sparring, report.run_id);
	return exitCodeOfReport(report);
}

// A loop that nobody ends must end.
const MAX_ATTEMPTS = 5;

async function askPreflight(
	problems: readonly PreflightProblem[],
	{ reader, outlet, paint }: { reader: LineReader; outlet: Outlet; paint: Paint },
): Promise<boolean> {
	const lines = problems.map(
		(problem) => `  ${paint("attention", visibleText(preflightText(problem)))}`,
	);
	outlet.write(`\nBefore the first agent is called:\n${lines.join("\n")}\n`);
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
		const line = await reader.readLine("Go on, or stop here? Nothing was paid yet. (go/stop): ");
		if (line === null) {
			// Ctrl-C leaves the cursor behind the prompt.
			outlet.write("\n");
			return false;
		}
		const said = line.trim().toLowerCase();
		if (["go", "g", "go on", "y", "yes"].includes(said)) return true;
		if (["stop", "s", "n", "no"].includes(said)) return false;
		outlet.write("Type go or stop.\n");
	}
	return false;
}
