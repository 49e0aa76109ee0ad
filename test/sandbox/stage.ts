import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../../src/process/environment.ts";
import type { ProcessRequest, ProcessResult } from "../../src/process/process.ts";
import {
	openSandbox,
	type Sandbox,
	type SandboxOptions,
} from "../../src/process/sandbox/open-sandbox.ts";

/** Places as a run has them, in a directory of the test's own, and an open sandbox. */
export interface Stage {
	readonly root: string;
	/** The user's repository; never writable. */
	readonly repository: string;
	readonly database: string;
	/** The checkout of the call, and that of another seat. */
	readonly checkout: string;
	readonly other: string;
	/** Of the call: for temporary files. */
	readonly tmp: string;
	readonly home: string;
	readonly sandbox: Sandbox;
	/** Runs `sh -c` in the checkout, confined. */
	sh(script: string, more?: Partial<ProcessRequest>): Promise<ProcessResult>;
	/** Runs a program in the checkout, confined. */
	run(
		command: readonly [string, ...string[]],
		more?: Partial<ProcessRequest>,
	): Promise<ProcessResult>;
	/** The request that `run` makes. */
	request(command: readonly [string, ...string[]], more?: Partial<ProcessRequest>): ProcessRequest;
	close(): Promise<void>;
}

const git = (cwd: string, ...args: string[]): void => {
	execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.invalid", ...args], { cwd });
};

function repositoryAt(path: string): void {
	mkdirSync(path, { recursive: true });
	git(path, "init", "--quiet");
	writeFileSync(join(path, "a.txt"), "a\n");
	git(path, "add", ".");
	git(path, "commit", "--quiet", "-m", "first");
}

let calls = 0;

/** @param name part of the directory's name */
export async function stage(options: Partial<SandboxOptions> = {}, name = "plain"): Promise<Stage> {
	const root = realpathSync(mkdtempSync(join(tmpdir(), `spar-sandboxed-${name}-`)));
	const [repository, checkout] = [join(root, "repository"), join(root, "checkout")];
	const [other, tmp, home] = [join(root, "other"), join(root, "tmp"), join(root, "home")];
	for (const path of [repository, checkout, other]) repositoryAt(path);
	for (const path of [tmp, home]) mkdirSync(path);
	mkdirSync(join(repository, ".sparring"));
	const database = join(repository, ".sparring", "sparring.db");
	writeFileSync(database, "rows");
	const env = { ...childEnvironment(process.env), HOME: home };
	const sandbox = await openSandbox({
		env,
		allowHosts: [],
		never: [repository],
		...options,
	});
	if (!sandbox.available) rmSync(root, { recursive: true });
	if (!sandbox.available) throw new Error(`there is no sandbox: ${sandbox.reason}`);
	const request: Stage["request"] = (command, more = {}) => ({
		command,
		cwd: checkout,
		env: { ...env, TMPDIR: tmp },
		timeoutMs: 60_000,
		mark: `sandbox-test-${process.pid}/${root}/${calls++}`,
		writable: [checkout, tmp],
		...more,
	});
	const run: Stage["run"] = (command, more) =>
		sandbox.host.run(request(command, more), new AbortController().signal);
	return {
		root,
		repository,
		database,
		checkout,
		other,
		tmp,
		home,
		sandbox,
		run,
		request,
		sh: (script, more) => run(["sh", "-c", script], more),
		close: async () => {
			await sandbox.close();
			rmSync(root, { recursive: true });
		},
	};
}
