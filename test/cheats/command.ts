import { type ExecFileException, execFile } from "node:child_process";
import { dirname } from "node:path";

/** How a program ended. */
export interface Ended {
	/** null when a signal ended it, such as after the time. */
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** For what hangs, not for a busy machine. */
const LONGEST_MS = 180_000;

/** Runs a program to its end with no more of the environment than a PATH and a home. Never rejects. */
export function command(
	[program, ...args]: readonly [string, ...string[]],
	{ cwd, home }: { readonly cwd: string; readonly home: string },
): Promise<Ended> {
	const env = {
		PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
		HOME: home,
		TMPDIR: home,
		LANG: "C.UTF-8",
		CI: "true",
		PYTHONDONTWRITEBYTECODE: "1",
	};
	return new Promise((resolve) => {
		execFile(
			program,
			args,
			{ cwd, env, timeout: LONGEST_MS, killSignal: "SIGKILL", maxBuffer: 16 * 1024 * 1024 },
			(error: ExecFileException | null, stdout, stderr) => {
				const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
				resolve({ code, stdout, stderr });
			},
		);
	});
}
