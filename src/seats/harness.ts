import { access, mkdir } from "node:fs/promises";
import path from "node:path";
import { homeVariables } from "../agents/call-home.ts";
import type { Harness, HarnessLook, Login, SignIn } from "../agents/harness/harness.ts";
import { lastWords } from "../agents/quote.ts";
import { randomId } from "../kernel/ids.ts";
import { childEnvironment } from "../process/environment.ts";
import type { ProcessResult } from "../process/process.ts";
import { runProcess } from "../process/run-process.ts";
import { makeTemporary } from "../process/temporary.ts";
import type { DoctorLine } from "./doctor-line.ts";

// For each question to a coding agent about itself.
const PROBE_MS = 20_000;

const MOST_OUTPUT = 20_000;

export interface Probe extends Omit<HarnessLook, "run"> {
	readonly program: string;
	readonly signal?: AbortSignal | undefined;
}

async function withProbe<T>(
	harness: Harness,
	{ program, login, named, env, signal = new AbortController().signal }: Probe,
	use: (run: (args: readonly string[]) => Promise<ProcessResult>) => Promise<T>,
): Promise<T> {
	await using temporary = await makeTemporary("spar-doctor-");
	const folder = temporary.path;
	const cwd = path.join(folder, "empty");
	// Beside the temporary directory: Codex refuses a home below it.
	const [home, tmp] = [path.join(folder, "home"), path.join(folder, "tmp")];
	for (const each of [cwd, home, tmp]) await mkdir(each, { mode: 0o700 });
	const passed = childEnvironment(
		env,
		login === "key" ? named : [...named, ...harness.storeVariables],
	);
	const environment = {
		...passed,
		...(login === "key" ? homeVariables(home) : {}),
		...Object.fromEntries(Object.entries(passed).filter(([name]) => named.includes(name))),
		TERM: "dumb",
		NO_COLOR: "1",
		TMPDIR: tmp,
	};
	const mark = `spar-doctor/${randomId(12)}`;
	return await use((args) =>
		runProcess(
			{
				command: [program, ...args],
				cwd,
				env: environment,
				mark,
				places: [folder],
				maxOutput: MOST_OUTPUT,
				timeoutMs: PROBE_MS,
			},
			signal,
		),
	);
}

const LONGEST_WORDS = 200;

const LONGEST_VERSION = 80;

const firstLine = (text: string): string => text.trim().split("\n")[0]?.trim() ?? "";

// No control characters, and no replacement characters for bytes that are not text.
const isReadable = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\ufffd]/u.test(text);

function versionIn(text: string): string | null {
	const line = firstLine(text).slice(0, LONGEST_VERSION);
	return isReadable(line) ? line : null;
}

async function whyNotStarted(program: string, error: string | null): Promise<string> {
	if (error !== "ENOENT") return error ?? "no reason given";
	return access(program).then(
		() => "the interpreter that its first line names is missing",
		() => "it is missing",
	);
}

async function startProblem({
	program,
	started,
	startError,
	timedOut,
	exitCode,
	signal,
	stdout,
	stderr,
}: ProcessResult & { readonly program: string }): Promise<string | null> {
	if (!started) return `cannot be started: ${await whyNotStarted(program, startError)}`;
	if (timedOut) return "did not say its version within 20 s";
	if (exitCode !== 0) {
		const words = lastWords(stderr).slice(0, LONGEST_WORDS);
		const said = isReadable(words) ? words : "";
		return `ended with ${signal ?? exitCode} when asked for its version${said === "" ? "" : `: ${said}`}`;
	}
	if (firstLine(stdout) === "") return "did not say its version";
	return versionIn(stdout) === null
		? "did not say its version: what it printed is unreadable"
		: null;
}

// A program that starts may still answer with anything.
async function signInOf(harness: Harness, probe: Probe): Promise<SignIn> {
	try {
		return await withProbe(harness, probe, (run) => harness.signIn({ ...probe, run }));
	} catch (error) {
		probe.signal?.throwIfAborted();
		const detail = `cannot be told: ${error instanceof Error ? error.message : String(error)}`;
		return { ok: "warn", detail, fix: null };
	}
}

function otherOf(harness: Harness, probe: Probe): Probe {
	if (probe.login === "key") return { ...probe, login: "user" };
	const keys = harness.keyVariables.filter((name) => (probe.env[name] ?? "") !== "");
	return { ...probe, login: "key", named: [...new Set([...probe.named, ...keys])] };
}

function written(harness: Harness, { login, named }: Probe): string {
	if (login === "user") return "login: user";
	const key = harness.keyVariables.find((name) => named.includes(name));
	return `login: key, env: [${key ?? named.join(", ")}]`;
}

const said = (login: Login, { detail }: SignIn): string =>
	detail.startsWith("login: ") ? detail : `login: ${login}, ${detail}`;

/**
 * Asks a coding agent whether it starts, which version it is, and with which `login` it is signed in. Each question may
 * take 20 s; no model is called.
 */
export async function harnessState(
	harness: Harness,
	probe: Probe,
): Promise<Pick<DoctorLine, "ok" | "detail" | "cause" | "fix">> {
	const result = await withProbe(harness, probe, (run) => run(["--version"]));
	const problem = await startProblem({ ...result, program: probe.program });
	if (problem !== null) {
		return {
			ok: false,
			detail: `${probe.program} ${problem}`,
			fix: `Run \`${harness.name} --version\` by hand, and reinstall it if that fails.`,
		};
	}
	const version = versionIn(result.stdout) ?? "unreadable";
	const other = otherOf(harness, probe);
	const [chosen, spare] = await Promise.all([signInOf(harness, probe), signInOf(harness, other)]);
	const also = spare.ok === true ? [said(other.login, spare)] : [];
	const instead =
		chosen.ok !== true && spare.ok === true
			? [`\`${written(harness, other)}\` would work now.`]
			: [];
	const fix = [...(chosen.fix === null ? [] : [chosen.fix]), ...instead].join(" ");
	const state = {
		ok: chosen.ok,
		detail: [version, said(probe.login, chosen), ...also, probe.program].join("; "),
		fix: fix === "" ? null : fix,
	};
	return chosen.ok === true ? state : { ...state, cause: said(probe.login, chosen) };
}
