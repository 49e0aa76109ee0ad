// Runs the first example from beginning to end: `npm run demo`.
//
// Copies examples/01-rate-limiter into a new git repository in a temporary folder and starts `spar run`
// there, as anybody would. Two agents' recorded answers sit in the seats; everything else is real. The
// folder is kept, so that the printed commands can be tried. Ends with the exit code of the run.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const EXAMPLE = join(PROJECT, "examples", "01-rate-limiter");
const MAIN = join(PROJECT, "src", "cli", "main.ts");
const TASK = "limiter";

function say(text = ""): void {
	process.stdout.write(`${text}\n`);
}

function stop(message: string): never {
	process.stderr.write(`demo: ${message}\n`);
	process.exit(1);
}

/** For a POSIX shell; 'it'\''s' reads back as "it's". */
function quoted(text: string): string {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The caller's environment without what points git at another repository, such as a hook's GIT_DIR. */
function environment(checkouts: string): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
	return { ...Object.fromEntries(kept), SPAR_CHECKOUTS: checkouts };
}

function git(repository: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): void {
	const own = ["-c", "user.name=Sparring demo", "-c", "user.email=demo@sparring.invalid"];
	const plain = ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
	const all = [...own, ...plain, ...args];
	const { status, error, stderr } = spawnSync("git", all, {
		cwd: repository,
		env,
		encoding: "utf8",
	});
	if (error !== undefined)
		stop(`git could not be started: ${error.message}. Install git and retry.`);
	if (status !== 0) stop(`git ${args[0]} failed in ${repository}: ${stderr.trim()}`);
}

/** `spar` as a command of the demo's folder, on this Node.js and with the demo's checkouts. */
function writeLauncher(path: string, checkouts: string): void {
	const lines = [
		"#!/bin/sh",
		`SPAR_CHECKOUTS=${quoted(checkouts)} exec ${quoted(process.execPath)} ${quoted(MAIN)} "$@"`,
	];
	writeFileSync(path, `${lines.join("\n")}\n`);
	chmodSync(path, 0o755);
}

/** Waits for a child that shares our terminal; a Ctrl-C is its to answer. */
function exitCodeOf(child: ChildProcess): Promise<number> {
	return new Promise((resolve) => {
		const forward = (signal: NodeJS.Signals): void => {
			child.kill(signal);
		};
		const leave = (): void => undefined;
		process.on("SIGTERM", forward);
		process.on("SIGINT", process.stdin.isTTY ? leave : forward);
		child.once("error", (error) => stop(`spar could not be started: ${error.message}`));
		child.once("close", (code, signal) =>
			resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]),
		);
	});
}

interface Outcome {
	readonly branch: string;
	readonly base: string;
}

/** What `spar status --json` says of the run, or null when there is none. */
function readOutcome(launcher: string, repository: string, env: NodeJS.ProcessEnv): Outcome | null {
	const args = ["status", "--json"];
	const { status, stdout } = spawnSync(launcher, args, { cwd: repository, env, encoding: "utf8" });
	if (status !== 0) return null;
	try {
		const report: unknown = JSON.parse(stdout);
		if (typeof report !== "object" || report === null) return null;
		if (!("branch" in report && "base" in report)) return null;
		const { branch, base } = report;
		return typeof branch === "string" && typeof base === "string" ? { branch, base } : null;
	} catch {
		return null;
	}
}

function sayWhereToLook(repository: string, { base, branch }: Outcome, succeeded: boolean): void {
	const enter = `cd ${quoted(repository)}`;
	const line = (command: string): void => say(`  (${enter} && ${command})`);
	say("Where to look; each line works when pasted:");
	say();
	say(`  ${enter}`);
	line("../spar status");
	line(`../spar trace ${TASK}`);
	line(`git --no-pager log --graph --oneline ${quoted(base)} ${quoted(branch)}`);
	line(`git --no-pager diff ${quoted(`${base}...${branch}`)}`);
	if (!succeeded) return;
	say();
	say(`And to bring the work into ${base}:`);
	say();
	line("../spar land");
}

const home = realpathSync(mkdtempSync(join(tmpdir(), "sparring-demo-")));
const repository = join(home, basename(EXAMPLE).replace(/^\d+-/, ""));
const checkouts = join(home, "checkouts");
const launcher = join(home, "spar");
const env = environment(checkouts);

say(
	`1. Copies ${join("examples", basename(EXAMPLE))} to ${repository}: a library with its own tests.`,
);
cpSync(EXAMPLE, repository, { recursive: true });
writeLauncher(launcher, checkouts);

say("2. Makes it a git repository with one commit.");
git(repository, env, "init", "--quiet", "--initial-branch=main", "--template=");
git(repository, env, "add", "--all");
git(repository, env, "commit", "--quiet", "--message=A limiter with a fixed burst");

say("3. Starts `spar run` there. The answers of both agents are recorded; all else happens now.");
say();
const startedAt = performance.now();
const code = await exitCodeOf(
	spawn(process.execPath, [MAIN, "run"], { cwd: repository, env, stdio: "inherit" }),
);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
say();
say(`spar run ended with exit code ${code} after ${seconds} s.`);
say();
const outcome = readOutcome(launcher, repository, env);
if (outcome !== null) sayWhereToLook(repository, outcome, code === 0);
say();
say(`The folder is kept. To remove it: rm -rf ${quoted(home)}`);
process.exitCode = code;
