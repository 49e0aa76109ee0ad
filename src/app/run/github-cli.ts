import { runBoundedChild } from "../../process/bounded-child.ts";
import { findProgram } from "../../process/find-program.ts";
import type { Forge } from "../forge.ts";

const TIMEOUT_MS = 120_000;
const MAX_ANSWER = 1_000_000;

/** A pull request to open, or to bring up to date. */
export interface PullRequest {
	readonly forge: Forge;
	readonly base: string;
	readonly branch: string;
	readonly title: string;
	/** Markdown. */
	readonly report: string;
}

/** Where `gh` runs. */
export interface GhPlace {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal | undefined;
}

/** `why`: what `gh` could not do, in its words; with `url` the pull request is there all the same. */
export interface Published {
	readonly done: "opened" | "updated" | null;
	readonly url: string | null;
	readonly why: string | null;
}

/**
 * Opens a pull request with GitHub's `gh`, or brings the text of the open one of the branch up to date: the part between
 * the marks is the report's, the rest a person's.
 *
 * @returns null where there is no `gh` on the PATH, or the forge is not GitHub
 */
export async function publishPullRequest(
	request: PullRequest,
	place: GhPlace,
): Promise<Published | null> {
	const { forge, base, branch, title, report } = request;
	if (forge.kind !== "github") return null;
	const program = await findProgram("gh", place.env["PATH"] ?? "", place.cwd);
	if (program === undefined) return null;
	const gh = (args: readonly string[], stdin = "") => runGh(program, args, { ...place, stdin });
	const repo = ["--repo", `${forge.host}/${forge.path}`];
	const fields = ["--json", "number,url,body"];
	const found = await gh(["pr", "list", ...repo, "--head", branch, "--state", "open", ...fields]);
	if (!found.ok) return { done: null, url: null, why: found.text };
	const open = openIn(found.text);
	if (open === null) {
		const about = ["--head", branch, "--base", base, "--title", title, "--body-file", "-"];
		const made = await gh(["pr", "create", ...repo, ...about], marked(report));
		if (!made.ok) return { done: null, url: null, why: made.text };
		return { done: "opened", url: addressIn(made.text), why: null };
	}
	const body = withReport(open.body, report);
	if (body === null || body === open.body) return { done: "updated", url: open.url, why: null };
	const edited = await gh(["pr", "edit", String(open.number), ...repo, "--body-file", "-"], body);
	return { done: "updated", url: open.url, why: edited.ok ? null : edited.text };
}

const BEGIN = "<!-- sparring report: what stands between these marks is replaced -->";
const END = "<!-- end of the sparring report -->";

const marked = (report: string): string => `${BEGIN}\n\n${report.trim()}\n\n${END}\n`;

/** The text with the report in the place of the old one; null when somebody took the marks out. */
export function withReport(body: string, report: string): string | null {
	const start = body.indexOf(BEGIN);
	const end = body.lastIndexOf(END);
	if (start < 0 || end < start) return null;
	return `${body.slice(0, start)}${marked(report).trimEnd()}${body.slice(end + END.length)}`;
}

interface OpenRequest {
	readonly number: number;
	readonly url: string;
	readonly body: string;
}

function openIn(text: string): OpenRequest | null {
	let list: unknown;
	try {
		list = JSON.parse(text);
	} catch {
		return null;
	}
	const first: unknown = Array.isArray(list) ? list[0] : undefined;
	if (typeof first !== "object" || first === null) return null;
	if (!("number" in first && "url" in first && "body" in first)) return null;
	const { number, url, body } = first;
	return typeof number === "number" && typeof url === "string" && typeof body === "string"
		? { number, url, body }
		: null;
}

const addressIn = (text: string): string | null => /https?:\/\/\S+/.exec(text)?.[0] ?? null;

/** `text`: what it printed when it worked, else why it did not. */
async function runGh(
	program: string,
	args: readonly string[],
	{ cwd, env, signal, stdin }: GhPlace & { readonly stdin: string },
): Promise<{ readonly ok: boolean; readonly text: string }> {
	// Where the repository is, the arguments say.
	const set = Object.entries(env).flatMap(([name, value]) =>
		value === undefined || name.startsWith("GIT_") ? [] : [[name, value] as const],
	);
	const quiet = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" };
	const environment = { ...Object.fromEntries(set), ...quiet };
	const limits = { maxStdout: MAX_ANSWER, timeoutMs: TIMEOUT_MS, signal };
	try {
		const end = await runBoundedChild({ program, args, cwd, env: environment, stdin, ...limits });
		if (end.exitCode === 0) return { ok: true, text: end.stdout.toString("utf8") };
		const words = end.stderr.replaceAll(/\s+/g, " ").slice(0, 500);
		return {
			ok: false,
			text: end.timedOut ? "gh took too long" : words || `gh failed with exit code ${end.exitCode}`,
		};
	} catch (error) {
		if (signal?.aborted === true || !(error instanceof Error)) throw error;
		return { ok: false, text: error.message };
	}
}
