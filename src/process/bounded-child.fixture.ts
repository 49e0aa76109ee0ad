import type { BoundedChild } from "./bounded-child.ts";

/** A line of shell to run, with no variable but a PATH. */
export function shellChild(script: string, more: Partial<BoundedChild> = {}): BoundedChild {
	return {
		program: "sh",
		args: ["-c", script],
		cwd: "/",
		env: { PATH: "/usr/bin:/bin" },
		stdin: "",
		maxStdout: 1_000,
		timeoutMs: 60_000,
		signal: undefined,
		...more,
	};
}
