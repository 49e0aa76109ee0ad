import { spawn, spawnSync } from "node:child_process";
import {
	closeSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	rmSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
rm -rf "$1"`;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function openShell(): Shell {
	const dir = mkdtempSync(join(tmpdir(), "spar-shell-"));
	const { status } = spawnSync("mkfifo", [join(dir, "ask"), join(dir, "told")]);
	if (status !== 0) throw new Error(`mkfifo in ${dir} ended with ${status}`);
	const child = spawn("sh", ["-c", LOOP, "sh", dir], { stdio: "ignore", env: process.env });
	child.unref();
	const ask = openSync(join(dir, "ask"), "w");
	const told = openSync(join(dir, "told"), "r");
	process.once("exit", () => {
		closeSync(ask);
		rmSync(dir, { recursive: true, force: true });
	});
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
 * Runs a program to its end, as `spawnSync` does, from a small shell: to start a process takes a worker of the tests with
 * all its modules 5 ms, and a shell 0.3 ms.
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
