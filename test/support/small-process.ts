import { spawn, spawnSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHELLS } from "./nothing-left.ts";

/** How a program ended, with all that it wrote. */
export interface Ended {
	readonly status: number;
	readonly stdout: string;
	readonly stderr: string;
}

interface Shell {
	readonly ask: (script: string) => Ended;
}

/** Runs the script in a process of its own whenever it is asked, and says how that ended. */
const LOOP = `exec 3<"$1/ask" 4>"$1/told"
while read -r _ <&3; do
	(. "$1/script") </dev/null >"$1/stdout" 2>"$1/stderr" 3<&- 4>&-
	echo "$?" >&4
done
rm -rf "$1"
rmdir "\${1%/*}" 2>/dev/null`;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Of the whole run of the tests: a test may have a folder for temporary files of its own, which it removes. */
const PLACE = join(tmpdir(), SHELLS);

function openShell(): Shell {
	mkdirSync(PLACE, { recursive: true });
	const dir = mkdtempSync(join(PLACE, "shell-"));
	const { status } = spawnSync("mkfifo", [join(dir, "ask"), join(dir, "told")]);
	if (status !== 0) throw new Error(`mkfifo in ${dir} ended with ${status}`);
	// It ends a moment after this process, and is not what a test left behind: nothing says where it works.
	const env = { PATH: process.env["PATH"] };
	const child = spawn("sh", ["-c", LOOP, "sh", dir], { stdio: "ignore", env, cwd: "/" });
	child.unref();
	const ask = openSync(join(dir, "ask"), "w");
	const told = openSync(join(dir, "told"), "r");
	const answer = Buffer.alloc(16);
	return {
		ask: (script) => {
			writeFileSync(join(dir, "script"), script);
			writeSync(ask, "\n");
			const length = readSync(told, answer);
			if (length === 0) throw new Error("the shell that starts processes for the tests has ended");
			return {
				status: Number(answer.toString("latin1", 0, length)),
				stdout: readFileSync(join(dir, "stdout"), "utf8"),
				stderr: readFileSync(join(dir, "stderr"), "utf8"),
			};
		},
	};
}

let shell: Shell | null = null;

/**
 * Runs a program to its end, as `spawnSync` does, from a small shell: the larger a process, the longer its start of
 * another one takes, and a worker of the tests holds all modules of many files.
 *
 * @param env the whole environment; the program is looked for in its `PATH`
 */
export function runSmall(
	program: string,
	args: readonly string[],
	{ cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Ended {
	shell ??= openShell();
	const words = [
		...Object.entries(env).map(([name, value]) => `${name}=${value}`),
		program,
		...args,
	];
	return shell.ask(["cd", quoted(cwd), "&& exec env -i", ...words.map(quoted)].join(" "));
}
