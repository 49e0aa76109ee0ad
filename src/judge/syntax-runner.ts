import type { PythonRunner } from "../syntax/python-syntax.ts";
import type { Stand } from "./stand.ts";

const LONGEST_MS = 30_000;

/** The end of the mark of what reads source files, and is no command of the project. */
export const SYNTAX_MARK = ":syntax";

const MOST_OUTPUT = 80_000_000;

export function pythonRunner({
	host,
	run,
	task,
	signal,
	environment,
}: Pick<Stand, "host" | "run" | "task" | "signal" | "environment">): PythonRunner {
	return async (args, input) => {
		const { exitCode, stdout } = await host.run(
			{
				command: ["python3", ...args],
				cwd: "/",
				env: environment([]),
				stdin: input,
				timeoutMs: LONGEST_MS,
				mark: `${run.runId}:${task.id}${SYNTAX_MARK}`,
				writable: [],
				maxOutput: MOST_OUTPUT,
			},
			signal,
		);
		return exitCode === 0 ? stdout : null;
	};
}
