import { baselineStand, namesMissing, saysWatching } from "../checks/baseline-stand.ts";
import { isTimedOut } from "../checks/judge.ts";
import { lacksSetup } from "../checks/suite.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { tellingLines } from "../judge/telling-lines.ts";
import { Fault } from "../kernel/fault.ts";
import { shellWord } from "../kernel/shell-word.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";

/** A check of tests that gives no result, and how it was asked for. */
export interface NoResult {
	readonly check: CheckDefinition;
	/** Of the base, or of the work as well. */
	readonly piece: Evidence;
	/** Words of the command line, such as `["--base", "main"]`. */
	readonly asked: readonly string[];
}

type Cause =
	| "watching"
	| "timed-out"
	| "registry"
	| "program-missing"
	| "setup"
	| "unread"
	| "other";

// Of npm, pnpm, yarn and bun; of pip and uv; of go, cargo, bundler, composer and curl.
const UNREACHED =
	/\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ConnectionRefused)\b|Temporary failure in name resolution|(?:Could not|failed to) resolve host|dns error|Failed to establish a new connection|error sending request|dial tcp|Could not reach host|Network is unreachable/i;

function causeOf({ piece }: NoResult): Cause {
	const { outputTail, exitCode, counts, status } = piece;
	if (isTimedOut(piece)) return saysWatching(outputTail) ? "watching" : "timed-out";
	const failed = lacksSetup(piece) || (exitCode ?? 0) !== 0;
	if (failed && UNREACHED.test(outputTail)) return "registry";
	const isMissing = exitCode === 126 || exitCode === 127;
	if (isMissing || namesMissing(outputTail)) return "program-missing";
	if (lacksSetup(piece)) return "setup";
	return status === "absent" && counts === null && baselineStand(piece) === "silent"
		? "unread"
		: "other";
}

// Of runners that say in their output which they are.
const ONCE: readonly (readonly [RegExp, string])[] = [
	[/\bvitest\b|press h to show help/i, "npx vitest run"],
	[/Watch Usage/, "npx jest"],
	[/\bKarma\b/, "npx ng test --watch=false"],
];

const LONGER = 3;

const commandLine = (asked: readonly string[], ...more: readonly string[]): string =>
	["spar check", ...asked, ...more].join(" ");

function without(asked: readonly string[], option: string): readonly string[] {
	const at = asked.indexOf(option);
	return at === -1 ? asked : asked.toSpliced(at, 2);
}

/**
 * Command line for a run that a limit of time ended, with three times of it.
 *
 * @param ms that it took until it was ended
 */
export function longerLine(asked: readonly string[], ms: number): string {
	const minutes = Math.ceil((LONGER * ms) / 60_000);
	return commandLine(without(asked, "--timeout"), "--timeout", `${minutes}m`);
}

function anotherSetup(asked: readonly string[]): string {
	const rest = without(asked, "--setup");
	const other = commandLine(rest, "--setup", "CMD");
	return `Name a command that makes a checkout ready (${other}). Where the tests need none:\n${commandLine(rest, "--no-setup")}`;
}

/** The one thing to do, by the cause. */
function stepOf(cause: Cause, { piece, asked }: NoResult): string {
	const other = (command: string): string =>
		commandLine(without(asked, "--command"), "--command", command);
	switch (cause) {
		case "watching": {
			const once = ONCE.find(([says]) => says.test(piece.outputTail))?.[1];
			return `It watches for changes and never ends. Name a command that runs the tests once:\n${other(once === undefined ? "CMD" : shellWord(once))}`;
		}
		case "timed-out":
			return `If it takes longer than that, give it more time:\n${longerLine(asked, piece.ms)}`;
		case "registry":
			return `What it installs from cannot be reached. Run this again once it can:\n${commandLine(asked)}`;
		case "program-missing":
			if (lacksSetup(piece)) return `Install what is missing, or: ${anotherSetup(asked)}`;
			return `Install what is missing, or name a command that does without it (${other("CMD")}). Then:\n${commandLine(asked)}`;
		case "setup":
			return anotherSetup(asked);
		case "unread":
			return `If its exit code tells whether the tests pass:\n${commandLine(asked, "--exit-code")}`;
		case "other":
			return `Name a command that shows which tests ran:\n${other("CMD")}`;
	}
}

function whatOf(cause: Cause, { check, piece }: NoResult): string {
	if (cause === "unread") return `nothing in what \`${check.run}\` prints tells which tests ran`;
	if (cause === "program-missing" && !lacksSetup(piece))
		return `something that \`${check.run}\` needs is missing`;
	return piece.reason ?? "no reason is known";
}

/**
 * Refuses a judgement by a check that gives no result on the base either: it says nothing of the work.
 *
 * @param where hints to where commands run
 * @throws Fault `usage`, with what the check or its setup printed, and the one step that its cause asks for
 */
export function requireResults(
	checked: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
	{
		checks,
		asked,
		where,
	}: Pick<NoResult, "asked"> & {
		readonly checks: readonly CheckDefinition[];
		readonly where: readonly string[];
	},
): void {
	for (const check of checks) {
		const piece = checked.find((each) => each.check === check.name);
		if (check.kind !== "acceptance" || piece === undefined) continue;
		if (isSilent(piece) && isSilent(baseline.get(check.name)))
			throw silenceFault({ check, piece, asked }, " as little as on the work", where);
	}
}

/**
 * Refuses a base whose tests watch and were ended by their limit: the work's would stand as long.
 *
 * @throws Fault `usage`
 */
export function requireEnd(
	baseline: readonly Evidence[],
	{ checks, asked }: Pick<NoResult, "asked"> & { readonly checks: readonly CheckDefinition[] },
): void {
	for (const check of checks) {
		const piece = baseline.find((each) => each.check === check.name);
		if (piece === undefined || causeOf({ check, piece, asked }) !== "watching") continue;
		throw silenceFault({ check, piece, asked }, "", []);
	}
}

function silenceFault(found: NoResult, alike: string, where: readonly string[]): Fault {
	const cause = causeOf(found);
	const { check, piece } = found;
	const said = piece.details.length > 0 ? piece.details.slice(0, 5) : tellingLines(piece);
	return new Fault(
		`check ${check.name} gives no result on the base${alike}: ${whatOf(cause, found)}`,
		{ code: "usage", hint: [...said, ...where, stepOf(cause, found)].join("\n") },
	);
}

const isSilent = (piece: Evidence | undefined): boolean =>
	piece?.status === "error" || piece?.status === "absent";
