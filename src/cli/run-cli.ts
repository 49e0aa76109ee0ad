import { CommanderError } from "commander";
import { Fault } from "../kernel/fault.ts";
import { type HostProcess, processShell } from "./process-shell.ts";
import { buildProgram } from "./program.ts";
import { EXIT } from "./terminal/exit-code.ts";
import { paintFor } from "./terminal/paint.ts";
import type { Shell } from "./terminal/shell.ts";

// Called by the scripts of `spar completion`.
async function offerWords(words: readonly string[], shell: Shell): Promise<number> {
	try {
		const { knownIds } = await import("../places/known-ids.ts");
		const { completeWords } = await import("./complete-words.ts");
		shell.out.write(await completeWords(words, shell, await knownIds(shell)));
	} catch {
		// Whoever presses Tab wants words and no reasons.
	}
	return EXIT.done;
}

// A text with a space and an issue are no commands: they are tasks.
const isTask = (word: string): boolean => /\S\s+\S|^#\d+$|^https:\/\//.test(word);

// A coding agent takes 2 for a block, which would have no end where its hook is called wrongly.
const wrongUsage = (words: readonly string[]): number =>
	/^check (?:.* )?--hook[ =](?:stop|start)(?: |$)/s.test(words.join(" "))
		? EXIT.failed
		: EXIT.usage;

// Never rejects.
export async function runCli(args: readonly string[], shell: Shell): Promise<number> {
	let code: number = EXIT.done;
	const finish = (ended: number): void => {
		code = ended;
	};
	const [first = ""] = args;
	if (first === "complete" && args[1] === "--") return await offerWords(args.slice(2), shell);
	const isOneShot = isTask(first) || (first.startsWith("-") && args.some(isTask));
	const words = isOneShot ? ["run", ...args] : args;
	try {
		await buildProgram(shell, finish, words).parseAsync(words, { from: "user" });
		return code;
	} catch (error) {
		if (error instanceof CommanderError)
			return error.exitCode === 0 ? EXIT.done : wrongUsage(words);
		const { renderError } = await import("./terminal/render-error.ts");
		shell.err.print(renderError(error, paintFor(shell.err, shell.env)));
		return error instanceof Fault ? wrongUsage(words) : EXIT.bug;
	}
}

export async function startCli(host: HostProcess = process): Promise<void> {
	const shell = processShell(host);
	const code = await runCli(host.argv.slice(2), shell);
	// A stream that could not be written has set its own code already.
	host.exitCode ??= code;
	await shell.flushed();
}
