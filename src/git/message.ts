import { runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

/** The trailers of Sparring's commits. */
export interface Trailers {
	readonly run: string;
	readonly task?: string | undefined;
	/** From 1. */
	readonly turn?: number | undefined;
}

/** The longest subject line, in characters. */
const MAX_SUBJECT = 72;

/**
 * A commit message: a subject line and the trailers `Sparring-Run`, `Sparring-Task`, `Sparring-Turn`.
 *
 * Control characters and line ends in the subject become spaces; it is cut at 72 characters.
 *
 * @example `messageWith("Add limiter", { run: "r1", task: "limiter", turn: 2 })` is
 * `"Add limiter\n\nSparring-Run: r1\nSparring-Task: limiter\nSparring-Turn: 2\n"`
 */
export function messageWith(subject: string, { run, task, turn }: Trailers): string {
	const trailers = [`Sparring-Run: ${oneLine(run)}`];
	if (task !== undefined) trailers.push(`Sparring-Task: ${oneLine(task)}`);
	if (turn !== undefined) trailers.push(`Sparring-Turn: ${turn}`);
	const line = Array.from(oneLine(subject)).slice(0, MAX_SUBJECT).join("").trimEnd();
	return `${line === "" ? "Sparring" : line}\n\n${trailers.join("\n")}\n`;
}

/** The trailers in the last paragraph of a message; undefined when it names no run. */
export function parseTrailers(message: string): Trailers | undefined {
	const paragraphs = message.trimEnd().split(/\n{2,}/);
	if (paragraphs.length < 2) return undefined;
	const lines = (paragraphs.at(-1) ?? "").split("\n");
	const trailer = (name: string): string | undefined =>
		lines.findLast((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
	const run = trailer("Sparring-Run");
	if (run === undefined) return undefined;
	const task = trailer("Sparring-Task");
	const turn = trailer("Sparring-Turn");
	const isNumber = turn !== undefined && /^\d+$/.test(turn);
	return { run, task, turn: isNumber ? Number(turn) : undefined };
}

/**
 * The trailers of a commit; undefined when Sparring did not make it.
 *
 * @throws Fault `git-failed` when there is no such commit
 */
export function readTrailers(vault: Vault, commit: string): Promise<Trailers | undefined> {
	return runGit(vaultPlace(vault), {
		args: ["cat-file", "commit", commit],
		parse: ({ stdout }) => {
			const text = stdout.toString("utf8");
			return parseTrailers(text.slice(text.indexOf("\n\n") + 2));
		},
	});
}

function oneLine(text: string): string {
	return text
		.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
		.toWellFormed()
		.trim();
}
