import { suggestion } from "../../kernel/suggest.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import { placesOf } from "../../places/places.ts";
import { type CheckAllowance, checkAllowance } from "../../verdict/check-allowance.ts";
import type { CheckOptions } from "../../verdict/check-bench.ts";
import type { CheckReport } from "../../verdict/check-report.ts";
import { untoldRefusals } from "../../verdict/refusals.ts";
import { CHECK_FORMATS } from "../terminal/check-formats.ts";
import { openCheckProgress } from "../terminal/check-progress.ts";
import { commandOf, type JsonFlag, type Told } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { durationMs, needText, usageFault, wholeNumberTo } from "../terminal/option-values.ts";
import { paintFor } from "../terminal/paint.ts";
import { renderCheck, VERDICT_TONES, verdictText } from "../terminal/render-check.ts";
import { type Shell, saveReport, withSparring } from "../terminal/shell.ts";

interface CheckFlags extends JsonFlag {
	readonly staged?: boolean;
	readonly pr?: string;
	readonly base?: string;
	readonly command?: string;
	readonly setup?: string | false;
	readonly exitCode?: boolean;
	readonly timeout?: number;
	readonly allow?: readonly string[];
	readonly anyway?: boolean;
	readonly quick?: boolean;
	readonly history?: number;
	readonly task?: string;
	readonly criterion?: readonly string[];
	readonly coach?: string;
	readonly verifier?: string;
	readonly strict?: boolean;
	readonly format?: readonly string[];
	readonly hook?: string;
}

const MOST_COMMITS = 1_000;
const FORMATS = Object.keys(CHECK_FORMATS);

function optionsFrom(flags: CheckFlags, rev: string | undefined): CheckOptions {
	const { staged, pr, base, command: tests, quick, task, criterion: criteria } = flags;
	const { coach, verifier, anyway, setup } = flags;
	if (tests !== undefined) needText("--command", tests);
	if (typeof setup === "string") needText("--setup", setup);
	const allow = (flags.allow ?? []).map((text): CheckAllowance => checkAllowance(text));
	const { exitCode, timeout: timeoutMs } = flags;
	const how = { command: tests, setup, exitCode, timeoutMs };
	const work = { rev, staged, pr, base, ...how, quick, allow, task, criteria };
	return { ...work, coach, verifier, anyway };
}

const HOOKS = ["start", "stop", "pre-push", "pre-commit"] as const;

// Name and address of the remote, which git gives to this hook.
const TOLD_BY_GIT = 2;

function hookOf(flags: CheckFlags, words: readonly string[]): (typeof HOOKS)[number] | null {
	const { hook, staged, pr, history, format } = flags;
	const most = hook === "pre-push" ? TOLD_BY_GIT : 1;
	if (words.length > most)
		throw usageFault(
			`too many arguments for 'check': expected ${most}, and got ${words.length}`,
			"Name one commit or branch.",
		);
	if (hook === undefined) return null;
	const rev = words.length === TOLD_BY_GIT ? undefined : words[0];
	const known = HOOKS.find((name) => name === hook);
	if (known === undefined)
		throw usageFault(`there is no hook ${JSON.stringify(hook)}`, `There are: ${HOOKS.join(", ")}`);
	if ([rev, staged, pr, history, format].some((given) => given !== undefined))
		throw usageFault(
			"--hook says itself what is judged, and prints what its caller reads",
			"Leave out the commit, --staged, --pr, --history and --format.",
		);
	return known;
}

interface CheckOutput {
	readonly render: (report: CheckReport) => string;
	/** Null: standard output. */
	readonly file: string | null;
}

function outputOf(text: string): CheckOutput {
	const [, format = "", file = null] = /^([^=]*)(?:=(.+))?$/s.exec(text) ?? [];
	const render = Object.hasOwn(CHECK_FORMATS, format) ? CHECK_FORMATS[format] : undefined;
	if (render !== undefined) return { render, file };
	throw usageFault(
		`there is no format ${JSON.stringify(format)}`,
		suggestion(format, FORMATS) ?? `There are: ${FORMATS.join(", ")}`,
	);
}

function outputsOf({ format = [], json }: CheckFlags): readonly CheckOutput[] {
	const outputs = format.map(outputOf);
	const printed = outputs.filter(({ file }) => file === null).length + (json === true ? 1 : 0);
	if (printed < 2) return outputs;
	throw usageFault(
		"several formats are to be printed",
		"Print one of them, and write the others to files: --format sarif=check.sarif",
	);
}

function exitCodeOf(reports: readonly CheckReport[], { strict = false }: CheckFlags): number {
	if (reports.some(({ verdict }) => verdict === "fail")) return EXIT.failed;
	const isOpen = reports.some((one) => one.verdict === "review" || one.not_counted.length > 0);
	return strict && isOpen ? EXIT.waiting : EXIT.done;
}

async function checkOne(shell: Shell, flags: CheckFlags, options: CheckOptions): Promise<Told> {
	const outputs = outputsOf(flags);
	const report = await withSparring(shell, "read", (sparring) => sparring.check(options));
	const code = exitCodeOf([report], flags);
	for (const { render, file } of outputs)
		if (file !== null) await saveReport(shell, file, render(report));
	const printed = outputs.find(({ file }) => file === null);
	const paint = paintFor(shell.out, shell.env);
	const text =
		printed === undefined
			? renderCheck(report, { paint, columns: shell.out.columns })
			: printed.render(report).replace(/\n$/, "");
	return { json: report, text, code };
}

async function checkInHook(
	shell: Shell,
	flags: CheckFlags,
	{ hook, ...options }: CheckOptions & { readonly hook: (typeof HOOKS)[number] },
): Promise<Told | number> {
	const { checkAtStop, checkForGit, noteStartOfSession } = await import(
		"../terminal/check-hook.ts"
	);
	if (hook === "start") return await noteStartOfSession(shell);
	if (hook === "stop") return await checkAtStop(shell, options);
	const reports = await checkForGit(shell, hook, options);
	const look = { paint: paintFor(shell.out, shell.env), columns: shell.out.columns };
	const text = reports.map((report) => renderCheck(report, look)).join("\n");
	return { json: reports, code: exitCodeOf(reports, flags), ...(text === "" ? {} : { text }) };
}

async function checkLast(
	shell: Shell,
	flags: CheckFlags,
	options: CheckOptions & { readonly count: number },
): Promise<Told> {
	const { base, staged, pr, format, coach, verifier } = flags;
	if ([base, staged, pr, format, coach, verifier].some((given) => given !== undefined))
		throw usageFault(
			"--history judges each commit against the one before it, a line for each",
			"Leave out --base, --staged, --pr, --format, --coach and --verifier.",
		);
	const { checkHistory } = await import("../../verdict/check-work.ts");
	const paint = paintFor(shell.out, shell.env);
	return await withSparring(shell, "read", async ({ root }) => {
		const { directory, env } = shell;
		const place = { directory, env, places: placesOf(root, env), values: {} };
		const reports = await checkHistory(options, place, (report, title) => {
			if (flags.json === true) return;
			const { verdict, commit } = report;
			const line = oneLine(`${commit.slice(0, 10)} ${title}${whyOf(report)}`, 90);
			shell.out.print(`${paint(VERDICT_TONES[verdict], verdict.padEnd(6))} ${line}\n`);
		});
		return { json: reports, code: exitCodeOf(reports, flags) };
	});
}

function whyOf(report: CheckReport): string {
	const { verdict, checks, integrity, suspicions } = report;
	if (verdict === "pass") {
		const text = verdictText(report).replace(/^pass(?:, )?/, "");
		return text === "" ? "" : `: ${text}`;
	}
	const [weakened] = integrity.violations;
	const short = checks.find(({ blocks }) => blocks);
	const [suspicion] = suspicions;
	const [rule] = untoldRefusals(report);
	const why =
		weakened ??
		short?.reason ??
		(rule && `${rule.rule}: ${rule.details}`) ??
		(suspicion && `${suspicion.file}: ${suspicion.what}`);
	return `: ${why ?? "no reason given"}`;
}

export const command = commandOf<CheckFlags>(
	{
		more: true,
		examples: ["spar check", "spar check topic --base main", 'spar check --command "make test"'],
		argument: ["[rev]", "commit or branch (default: what is not committed, else HEAD)"],
		options: {
			"--staged": "judge what is staged alone",
			"--pr <number>": "judge a pull request, by its number or address, which gh finds",
			"--base <ref>": "judge against this (default: where the work left its upstream branch)",
			"--command <command>": "run the tests by this command",
			"--setup <command>": "make each checkout ready by this command",
			"--no-setup": "run no setup",
			"--exit-code": "judge the tests by the exit code of their command alone",
			"--timeout <duration>": [
				"end a run of the tests after this, such as 30m (default: of sparring.yaml, else by the base's time)",
				durationMs,
			],
			"--allow <path:kind:reason>": [
				"let a change pass: delete, rename, skip, weaken, edit, or the id of a suspicion; may stand several times",
				(text, before) => [before ?? [], text].flat(),
			],
			"--quick": "run nothing; judge by the trees alone",
			"--history <n>": [
				"judge the last commits, each against the one before it",
				wholeNumberTo(MOST_COMMITS),
			],
			"--task <text>": "what the work is for; values in it are no secrets of the tests",
			"--criterion <text...>": "what must be true of it",
			"--coach <agent>": "let this agent look for what is wrong, where nothing fails",
			"--verifier <agent>": "let this agent write tests of its own, where nothing fails",
			"--strict": "exit with 3 where suspicions are open, or tests are not counted",
			"--anyway": "go on where tests of the base pass in your own surroundings alone",
			"--format <format[=file]>": [
				`one of: ${FORMATS.join(", ")}; with a file it is written there; may stand several times`,
				(text, before) => [before ?? [], text].flat(),
			],
			"--hook <name>": `be a hook: ${HOOKS.join(", ")}`,
		},
	},
	async (shell, flags, rev, more) => {
		const hook = hookOf(flags, rev === undefined ? [] : [rev, ...more]);
		const options = optionsFrom(flags, hook === null ? rev : undefined);
		const keepAllowed = shell.isTyped && hook === null;
		const progress = await openCheckProgress(shell);
		const { onNotice, onStep } = progress;
		const { history: count } = flags;
		const told = await interruptible(
			shell,
			(signal) => {
				const supervised = { ...options, keepAllowed, signal, onNotice, onStep };
				if (hook !== null) return checkInHook(shell, flags, { ...supervised, hook });
				return count === undefined
					? checkOne(shell, flags, supervised)
					: checkLast(shell, flags, { ...options, signal, count });
			},
			onNotice,
		).finally(progress.stop);
		if (told !== null) return told;
		shell.err.print("interrupted; nothing is left behind\n");
		return EXIT.interrupted;
	},
);
