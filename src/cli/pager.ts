import { spawn } from "node:child_process";
import type { Shell } from "./terminal/shell.ts";

// F: leaves where the text fits; R: shows colours; X: leaves the screen as it is.
const LESS = { command: "less", options: "FRX" };

// Of `sh`, for a program that is not there.
const NOT_FOUND = 127;

// null where the user wants none.
export function pagerOf(env: Shell["env"]): string | null {
	const command = env["PAGER"] ?? LESS.command;
	return command.trim() === "" || command.trim() === "cat" ? null : command;
}

// False without such a program; nothing was shown then.
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
