import { spawn } from "node:child_process";
import type { Shell } from "./shell.ts";

/** Leaves at once where the text fits on the screen, shows colours, and leaves the screen as it is. */
const LESS = { command: "less", options: "FRX" };

/** Exit code of `sh` for a program that is not there. */
const NOT_FOUND = 127;

/**
 * The program that shows long texts: `$PAGER`, else `less`.
 *
 * @returns null where the user wants none: `PAGER` is empty or `cat`
 */
export function pagerOf(env: Shell["env"]): string | null {
	const command = env["PAGER"] ?? LESS.command;
	return command.trim() === "" || command.trim() === "cat" ? null : command;
}

/**
 * Shows a text in a pager on the terminal of this process, and comes back when the person leaves it.
 *
 * @returns false when there is no such program; nothing was shown then
 */
export async function showInPager(
	text: string,
	command: string,
	env: Shell["env"],
): Promise<boolean> {
	const child = spawn("sh", ["-c", command], {
		stdio: ["pipe", "inherit", "inherit"],
		env: { LESS: LESS.options, ...env },
	});
	// A person who leaves before the end of the text is no error.
	child.stdin.on("error", () => undefined);
	child.stdin.end(text);
	return await new Promise((resolve) => {
		child.once("error", () => resolve(false));
		child.once("close", (code) => resolve(code !== NOT_FOUND));
	});
}
