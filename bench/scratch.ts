import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The caller's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `work` in a new directory that is removed afterwards, whatever happens. */
export async function inScratch<T>(work: (directory: string) => Promise<T>): Promise<T> {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "sparring-bench-")));
	const remove = (): void => {
		rmSync(directory, { recursive: true, force: true });
	};
	// Ctrl-C skips `finally`, but not this.
	process.once("exit", remove);
	try {
		return await work(directory);
	} finally {
		process.off("exit", remove);
		remove();
	}
}

/** Writes files, by path, below a directory. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(directory, path)), { recursive: true });
		writeFileSync(join(directory, path), content);
	}
}

/** Makes a repository of the files in a directory, with one commit on `main`. */
export function commitAll(directory: string, environment: Environment): void {
	const own = ["-c", "user.name=Benchmark", "-c", "user.email=bench@sparring.invalid"];
	const plain = ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
	const git = (...args: readonly string[]): void => {
		execFileSync("git", [...own, ...plain, ...args], {
			cwd: directory,
			env: withoutGit(environment),
			stdio: "ignore",
		});
	};
	git("init", "--quiet", "--initial-branch=main", "--template=");
	git("add", "--all");
	git("commit", "--quiet", "--message=Start");
}

/** An environment without what points git at another repository, such as a hook's `GIT_DIR`. */
export function withoutGit(environment: Environment): Record<string, string | undefined> {
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")),
	);
}
