import { suggestion } from "../../kernel/suggest.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import { VERBS } from "../../library/verbs/table.ts";
import type { CheckOptions } from "../../verdict/check-bench.ts";
import type { CheckReport } from "../../verdict/check-report.ts";
import { timeText } from "../../verdict/check-time.ts";
import { untoldRefusals } from "../../verdict/refusals.ts";
import { CHECK_FORMATS } from "../terminal/check-formats.ts";
import { type CheckProgress, openCheckProgress } from "../terminal/check-progress.ts";
import type { JsonFlag, Told } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { needText, usageFault } from "../terminal/option-values.ts";
import { lookOf, paintFor } from "../terminal/paint.ts";
import { renderCheck, VERDICT_TONES, verdictText } from "../terminal/render-check.ts";
import { type Shell, saveReport, withSparring } from "../terminal/shell.ts";
import { givenAt, optionsOf, type Typed, verbCommand } from "../terminal/verb-command.ts";

interface CheckFlags {
	readonly history?: number;
	readonly strict?: boolean;
	readonly format?: readonly string[];
	readonly hook?: string;
}

type Flags = CheckFlags & JsonFlag;

const FORMATS = Object.keys(CHECK_FORMATS);

const HOOKS = ["start", "stop", "pre-push", "pre-commit"] as const;

// Name and address of the remote, which git gives to this hook.
const TOLD_BY_GIT = 2;

function refuse(given: readonly unknown[], message: string, hint: string): void {
	if (given.some((value) => value !== undefined)) throw usageFault(message, hint);
}

/** The hook that it is to be; null for none. */
function hookOf(
	{ hook, history, format }: Flags,
	{ staged, pr }: CheckOptions,
	words: readonly string[],
): (typeof HOOKS)[number] | null {
	const most = hook === "pre-push" ? TOLD_BY_GIT : 1;
	if (words.length > most)
		throw usageFault(
			`too many arguments for 'check': expected ${most}, and got ${words.length}`,
			"Name one commit or branch.",
		);
	if (hook === undefined) return null;
	const known = HOOKS.find((name) => name === hook);
	if (known === undefined)
		throw usageFault(`there is no hook ${JSON.stringify(hook)}`, `There are: ${HOOKS.join(", ")}`);
	const rev = words.length === TOLD_BY_GIT ? undefined : words[0];
	refuse(
		[rev, staged, pr, history, format],
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

function outputsOf({ format = [], json }: Flags): readonly CheckOutput[] {
	const outputs = format.map(outputOf);
	const printed = outputs.filter(({ file }) => file === null).length + (json === true ? 1 : 0);
	if (printed < 2) return outputs;
	throw usageFault(
		"several formats are to be printed",
		"Print one of them, and write the others to files: --format sarif=check.sarif",
	);
}

function exitCodeOf(reports: readonly CheckReport[], { strict = false }: Flags): number {
	if (reports.some(({ verdict }) => verdict === "fail")) return EXIT.failed;
	const isOpen = reports.some((one) => one.verdict === "review" || one.not_counted.length > 0);
	return strict && isOpen ? EXIT.waiting : EXIT.done;
}

async function checkOne(
	shell: Shell,
	flags: Flags,
	{ stop, ...options }: CheckOptions & Pick<CheckProgress, "stop">,
): Promise<Told> {
	const outputs = outputsOf(flags);
	const report = await withSparring(shell, "read", (sparring) => sparring.check(options));
	const code = exitCodeOf([report], flags);
	stop();
	// Another one ran them where there are none.
	if (report.time.commands > 0) shell.err.print(`${timeText(report.time)}\n`);
	for (const { render, file } of outputs)
		if (file !== null) await saveReport(shell, file, render(report));
	const printed = outputs.find(({ file }) => file === null);
	const text = printed?.render(report).replace(/\n$/, "") ?? renderCheck(report, lookAt(shell));
	return { json: report, text, code };
}

// As wide as the terminal, also where that is none.
const lookAt = ({ out, env }: Shell) => ({ ...lookOf(out, env), columns: out.columns });

async function checkInHook(
	shell: Shell,
	flags: Flags,
	{ hook, ...options }: CheckOptions & { readonly hook: (typeof HOOKS)[number] },
): Promise<Told | number> {
	const { checkAtStop, checkForGit, noteStartOfSession } = await import(
		"../terminal/check-hook.ts"
	);
	if (hook === "start") return await noteStartOfSession(shell);
	if (hook === "stop") return await checkAtStop(shell, options);
	const reports = await checkForGit(shell, hook, options);
	const text = reports.map((report) => renderCheck(report, lookAt(shell))).join("\n");
	return { json: reports, code: exitCodeOf(reports, flags), ...(text === "" ? {} : { text }) };
}

/** Fields of one work alone, which a history has none of. */
const OF_ONE = Object.keys(VERBS.check.fields).filter(
	(name) => !(name in VERBS.checkHistory.fields),
);

async function checkLast(
	{ shell, flags, given, words }: Typed<"check", CheckFlags>,
	count: number,
	signal: AbortSignal,
): Promise<Told> {
	refuse(
		[flags.format, ...OF_ONE.map((name): unknown => Reflect.get(given, name))],
		"--history judges each commit against the one before it, a line for each",
		"Leave out --base, --staged, --pr, --format, --coach and --verifier.",
	);
	const paint = paintFor(shell.out, shell.env);
	const onReport = (report: CheckReport, title: string): void => {
		if (flags.json === true) return;
		const { verdict, commit } = report;
		const line = oneLine(`${commit.slice(0, 10)} ${title}${whyOf(report)}`, 90);
		shell.out.print(`${paint(VERDICT_TONES[verdict], verdict.padEnd(6))} ${line}\n`);
	};
	const options = { ...givenAt("checkHistory", words[0], flags), count, signal, onReport };
	const reports = await withSparring(shell, "read", (sparring) => sparring.checkHistory(options));
	return { json: reports, code: exitCodeOf(reports, flags) };
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

export const command = verbCommand<"check", CheckFlags>("check", {
	more: true,
	behind: {
		"--setup <command>": { "--no-setup": "run no setup" },
		"--quick": optionsOf({ count: VERBS.checkHistory.fields.count }),
		"--verifier <agent>": {
			"--strict": "exit with 3 where suspicions are open, or tests are not counted",
		},
	},
	options: {
		"--format <format[=file]>": [
			`one of: ${FORMATS.join(", ")}; with a file it is written there; may stand several times`,
			(text, before) => [before ?? [], text].flat(),
		],
		"--hook <name>": `be a hook: ${HOOKS.join(", ")}`,
	},
	// For agents.
	show: (report, { paint }) => ({ text: renderCheck(report, { paint, columns: 80 }) }),
	alone: async (typed) => {
		const { shell, flags, given, words } = typed;
		const { history: count } = flags;
		const hook = hookOf(flags, given, words);
		for (const name of ["command", "setup"] as const)
			if (typeof given[name] === "string") needText(`--${name}`, given[name]);
		const progress = await openCheckProgress(shell);
		const { onNotice, onStep } = progress;
		const told = await interruptible(
			shell,
			(signal) => {
				const keepAllowed = shell.isTyped && hook === null;
				const supervised = { ...given, keepAllowed, signal, onNotice, onStep };
				if (hook !== null)
					return checkInHook(shell, flags, { ...supervised, rev: undefined, hook });
				return count === undefined
					? checkOne(shell, flags, { ...supervised, stop: progress.stop })
					: checkLast(typed, count, signal);
			},
			onNotice,
		).finally(progress.stop);
		if (told !== null) return told;
		shell.err.print("interrupted; nothing is left behind\n");
		return EXIT.interrupted;
	},
});
