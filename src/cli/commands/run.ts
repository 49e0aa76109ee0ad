import { join } from "node:path";
import type { RunOptions, RunPlan } from "../../drive/run-options.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import { VERBS } from "../../library/verbs/table.ts";
import { WORKFLOW_FILE } from "../../places/places.ts";
import { writeStarter } from "../../ready/init/init.ts";
import { estimateText } from "../../view/estimate.ts";
import { asGiven } from "../terminal/as-given.ts";
import { besideDashboard } from "../terminal/dashboard.ts";
import { EXIT } from "../terminal/exit-code.ts";
import {
	commentResult,
	issueToComment,
	madeUpLines,
	runSource,
	type ShotFlags,
	WISHES,
	WORDS,
	withStarter,
} from "../terminal/one-shot.ts";
import { usageFault } from "../terminal/option-values.ts";
import { renderDiagnostics } from "../terminal/render-error.ts";
import { lineWidth, printJson, type Shell, withSparring } from "../terminal/shell.ts";
import { type OutputFlags, superviseRun } from "../terminal/supervise-run.ts";
import { table } from "../terminal/table.ts";
import {
	givenOf,
	optionsOf,
	RUN_OUTPUT,
	type Typed,
	verbCommand,
} from "../terminal/verb-command.ts";
import { landing } from "./land.ts";

interface RunFlags extends OutputFlags, ShotFlags {
	readonly dryRun?: boolean;
	readonly land?: boolean;
	readonly pr?: boolean;
}

function verifierText(
	task: Pick<
		RunPlan["tasks"][number],
		"verifier" | "requires_verification" | "verification_by" | "verification_reasons"
	>,
): string {
	const who = task.verifier ?? "nobody";
	if (!task.requires_verification)
		return task.verification_by !== "heuristic" ? "-" : `${who}, if the diff asks`;
	const [why] = task.verification_reasons;
	return why === undefined ? who : `${who} (${oneLine(why, 60)})`;
}

function renderPlan(plan: RunPlan, columns: number): string {
	const tasks = plan.tasks.map(({ id, player, coach, bound, depends_on, ...task }) => [
		id,
		player,
		coach ?? "-",
		verifierText(task),
		String(bound),
		depends_on.length === 0 ? "-" : depends_on.join(", "),
	]);
	const checks = plan.checks.map(({ name, kind, run }) => [name, kind, oneLine(run)]);
	return [
		`${oneLine(plan.workflow)} on ${plan.base} at ${plan.base_commit.slice(0, 10)}; nothing was started`,
		table([["task", "player", "coach", "verifier", "turns at most", "after"], ...tasks], columns),
		...(checks.length === 0
			? ["no checks"]
			: [table([["check", "kind", "command"], ...checks], columns)]),
		...(plan.estimate === null ? [] : [estimateText(plan.estimate)]),
	].join("\n\n");
}

async function showPlan(
	shell: Shell,
	flags: RunFlags,
	sparring: Sparring,
	options: RunOptions,
): Promise<number> {
	const plan = await sparring.plan(options);
	if (flags.json === true) printJson(shell, plan);
	else shell.out.print(`${renderPlan(plan, lineWidth(shell.out))}\n`);
	return EXIT.done;
}

async function detach(
	shell: Shell,
	flags: RunFlags,
	sparring: Sparring,
	options: RunOptions,
): Promise<number> {
	const onNotice = (text: string): void => shell.err.print(`${text}\n`);
	const { run_id: runId } = await sparring.run({ ...options, detach: true, onNotice });
	if (flags.json === true) printJson(shell, { run_id: runId });
	else shell.out.print(`run ${runId} waits for workers. Watch it with: spar watch ${runId}\n`);
	return EXIT.done;
}

// Of a run that is done: what else ended says itself why there is nothing to land.
async function landAtEnd(
	shell: Shell,
	flags: RunFlags,
	sparring: Sparring,
	runId: string | undefined,
): Promise<number> {
	const told = await landing({ shell, sparring, flags }, runId);
	if (typeof told === "number") return told;
	// The run's report stands on standard output.
	shell.err.print(`${told.text}\n`);
	return told.code ?? EXIT.done;
}

async function run({
	shell,
	flags: typed,
	words: [file],
	given: { detach: isDetached = false, ...given },
}: Typed<"run", RunFlags>): Promise<number> {
	const flags: RunFlags = { ...typed, ...givenOf(WORDS, undefined, typed) };
	const issue = issueToComment(file, flags);
	const named = await runSource(file, flags, shell);
	const isSaved = flags.save === true && flags.dryRun !== true;
	const lands = flags.land === true || flags.pr === true;
	if ((lands || issue !== null) && isDetached)
		throw usageFault(
			"--land, --pr and --comment wait for the end of the run, which --detach does not",
			"Leave --detach out, or land the run later: spar land",
		);
	return await withSparring(shell, flags.dryRun === true ? "read" : "write", async (sparring) => {
		const source = await withStarter(named, sparring.root, { shell, isSaved });
		const loaded = await sparring.load(source);
		shell.err.print(renderDiagnostics(loaded));
		const { workflow } = loaded;
		if (workflow === null) return EXIT.usage;
		if (source.kind === "words" && source.starter !== undefined) {
			if (isSaved) await writeStarter(join(sparring.root, WORKFLOW_FILE), source.starter);
			shell.err.print(madeUpLines(workflow, isSaved));
		}
		const options = { ...given, source: { kind: "loaded", workflow } } as const;
		if (flags.dryRun === true) return await showPlan(shell, flags, sparring, options);
		if (isDetached) return await detach(shell, flags, sparring, options);
		let runId: string | undefined;
		const supervised = async (): Promise<number> => {
			const code = await superviseRun(shell, flags, {
				sparring,
				work: async (supervision) => {
					const report = await sparring.run({ ...options, ...supervision });
					runId = report.run_id;
					return report;
				},
				again: { anyway: given.anyway, maxParallel: given.maxParallel },
			});
			const landed = lands && code === EXIT.done;
			const ended = landed ? await landAtEnd(shell, flags, sparring, runId) : code;
			if (issue !== null && runId !== undefined)
				await commentResult(shell, sparring, { issue, runId });
			return ended;
		};
		return flags.ui === true ? await besideDashboard(shell, supervised) : await supervised();
	});
}

export const command = verbCommand<"run", RunFlags>("run", {
	behind: {
		"--task-id <task-id...>": {
			...optionsOf({ ...WORDS, ...WISHES }),
			"--trust-author": "take an issue as the task although its author is not of the project",
			"--comment": "write the result as a comment on the issue that is the task",
			"--save": "of a task in words: write sparring.yaml where there is none",
			"--land": "bring the work into the base branch at the end of the run",
			"--pr": "push the work and open a pull request at the end of the run",
		},
		"--record <file>": {
			"--dry-run": VERBS.plan.summary,
			"--ui": "show the run on a page in the browser too; questions are answered there",
		},
	},
	options: RUN_OUTPUT,
	alone: async (typed) =>
		await run(typed).catch((error: unknown) => {
			const { flags, words, given } = typed;
			const { fields } = VERBS.run;
			const said = { ...flags, ...given, ...givenOf(WORDS, undefined, flags) };
			throw asGiven(error, "run", { ...WORDS, ...fields, ...WISHES }, said, words[0]);
		}),
});
