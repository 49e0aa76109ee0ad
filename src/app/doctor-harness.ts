import type { Harness, Login, SignIn } from "../agents/harness/harness.ts";
import type { ProcessResult } from "../process/process.ts";
import type { DoctorLine } from "./doctor-line.ts";
import { type Probe, withProbe } from "./doctor-probe.ts";

/** Longest version or complaint that is shown. In characters. */
const LONGEST_WORDS = 200;

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim() ?? "";
const firstLine = (text: string): string => text.trim().split("\n")[0]?.trim() ?? "";

/** Why a program that was asked for its version does not work; null when it does. */
function startProblem({
	started,
	startError,
	timedOut,
	exitCode,
	signal,
	stdout,
	stderr,
}: ProcessResult) {
	if (!started) return `cannot be started (${startError})`;
	if (timedOut) return "did not say its version within 20 s";
	if (exitCode !== 0) {
		const said = lastLine(stderr).slice(0, LONGEST_WORDS);
		return `ended with ${signal ?? exitCode} when asked for its version${said === "" ? "" : `: ${said}`}`;
	}
	return firstLine(stdout) === "" ? "did not say its version" : null;
}

/** What `signIn` says, or that it failed: a program that starts may still answer with anything. */
async function signInOf(harness: Harness, probe: Probe): Promise<SignIn> {
	try {
		return await withProbe(harness, probe, (run) =>
			harness.signIn({ run, env: probe.env, login: probe.login, named: probe.named }),
		);
	} catch (error) {
		const detail = `cannot be told: ${error instanceof Error ? error.message : String(error)}`;
		return { ok: "warn", detail, fix: null };
	}
}

/** The other login, with the keys that are set where it needs one. */
function otherOf(harness: Harness, probe: Probe): Probe {
	if (probe.login === "key") return { ...probe, login: "user" };
	const keys = harness.keyVariables.filter((name) => (probe.env[name] ?? "") !== "");
	return { ...probe, login: "key", named: [...new Set([...probe.named, ...keys])] };
}

/** What is written for a login in the workflow file. */
function written(harness: Harness, { login, named }: Probe): string {
	if (login === "user") return "login: user";
	const key = harness.keyVariables.find((name) => named.includes(name));
	return `login: key, env: [${key ?? named.join(", ")}]`;
}

const said = (login: Login, { detail }: SignIn): string =>
	detail.startsWith("login: ") ? detail : `login: ${login}, ${detail}`;

/**
 * Whether a coding agent starts, which version it is, and with which `login` it is signed in. Each question may take
 * 20 s; no model is called.
 *
 * @param name of the line
 */
export async function harnessLine(
	name: string,
	harness: Harness,
	probe: Probe,
): Promise<DoctorLine> {
	const result = await withProbe(harness, probe, (run) => run(["--version"]));
	const problem = startProblem(result);
	if (problem !== null) {
		return {
			name,
			ok: false,
			detail: `${probe.program} ${problem}`,
			fix: `Run \`${harness.name} --version\` by hand, and install it anew if that fails.`,
		};
	}
	const version = firstLine(result.stdout).slice(0, LONGEST_WORDS);
	const other = otherOf(harness, probe);
	const chosen = await signInOf(harness, probe);
	const spare = await signInOf(harness, other);
	const also = spare.ok === true ? [said(other.login, spare)] : [];
	const instead =
		chosen.ok !== true && spare.ok === true
			? [`\`${written(harness, other)}\` would work now.`]
			: [];
	const fix = [...(chosen.fix === null ? [] : [chosen.fix]), ...instead].join(" ");
	return {
		name,
		ok: chosen.ok,
		detail: [version, said(probe.login, chosen), ...also, probe.program].join("; "),
		fix: fix === "" ? null : fix,
	};
}
