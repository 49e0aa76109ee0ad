import { runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

export interface Trailers {
	readonly run: string;
	readonly task?: string | undefined;
	readonly turn?: number | undefined;
	/** Such as `"dev (player), reviewer (coach)"`. */
	readonly agents?: string | undefined;
	/** Such as `"tests pass, gate T0 PASS"`. */
	readonly evidence?: string | undefined;
}

/** The longest subject line, and line of a body, in characters. */
export const MAX_SUBJECT = 72;

/**
 * A commit message: a subject line, a body and the trailers `Sparring-Run`, `Sparring-Task`, `Sparring-Turn`,
 * `Sparring-Agents`, `Sparring-Evidence`, as far as they are given.
 *
 * Control characters and line ends in the subject become spaces; it is cut at 72 characters. Lines of the body are
 * wrapped there; one that git or a reader could take for a comment, a trailer or the end of the message is indented.
 *
 * @example `messageWith("Add limiter", { run: "r1", task: "limiter", turn: 2 })` is
 * `"Add limiter\n\nSparring-Run: r1\nSparring-Task: limiter\nSparring-Turn: 2\n"`
 */
export function messageWith(subject: string, trailers: Trailers, body = ""): string {
	const lines = TRAILERS.flatMap(([key, name]) => {
		const value = trailers[key];
		return value === undefined ? [] : [`${name}: ${oneLine(String(value))}`];
	});
	const line = cutTo(oneLine(subject), MAX_SUBJECT);
	return [line === "" ? "Sparring" : line, bodyText(body), lines.join("\n")]
		.filter((part) => part !== "")
		.join("\n\n")
		.concat("\n");
}

const TRAILERS = [
	["run", "Sparring-Run"],
	["task", "Sparring-Task"],
	["turn", "Sparring-Turn"],
	["agents", "Sparring-Agents"],
	["evidence", "Sparring-Evidence"],
] as const satisfies readonly (readonly [keyof Trailers, string])[];

// Git and its tools read comments, patches, sign-offs and our trailers at the start of a line.
const SPEAKS = /^(?:#|---|diff -|index: |sparring-|[\w-]+-by\s*:)/i;

function bodyText(body: string): string {
	return body
		.split(/\r\n|[\n\r\v\f\u0085\p{Zl}\p{Zp}]/u)
		.flatMap((line) => wrapped(printable(line.replaceAll("\t", "    ")).trimEnd()))
		.map((line) => (SPEAKS.test(line) ? ` ${line}` : line))
		.join("\n")
		.replaceAll(/\n{3,}/g, "\n\n")
		.replace(/^\n+/, "")
		.trimEnd();
}

function wrapped(line: string): string[] {
	if (/^[\s|>]/.test(line)) return [line];
	const indent = /^(?:[-*+]|\d+[.)]) /.exec(line)?.[0].replaceAll(/\S/g, " ") ?? "";
	const lines: string[] = [];
	for (const word of line.slice(indent.length).split(" ")) {
		const last = lines.at(-1);
		if (last !== undefined && indent.length + last.length + word.length < MAX_SUBJECT)
			lines[lines.length - 1] = `${last} ${word}`;
		else lines.push(word);
	}
	return lines.map((text, at) => (at === 0 ? line.slice(0, indent.length) : indent) + text);
}

/** The text, or as much of it as fits with an ellipsis behind it, up to a whole word where one ends near. */
export function cutTo(text: string, length: number): string {
	const characters = Array.from(text);
	if (characters.length <= length) return text;
	const cut = characters.slice(0, Math.max(0, length - 1)).join("");
	const space = cut.lastIndexOf(" ");
	return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

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

/** The text on one line, without control characters. */
export function oneLine(text: string): string {
	return printable(text).replaceAll(/\s+/g, " ").trim();
}

// Also without characters that change the direction of what is read.
function printable(text: string): string {
	return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ").toWellFormed();
}
