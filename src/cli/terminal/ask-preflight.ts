import { type PreflightProblem, preflightText } from "../../drive/preflight-problem.ts";
import { visibleText } from "../../words/visible-text.ts";
import type { Paint } from "./paint.ts";
import type { Outlet } from "./shell.ts";
import type { LineReader } from "./terminal-reader.ts";

// A loop that nobody ends must end.
const MAX_ATTEMPTS = 5;

export async function askPreflight(
	problems: readonly PreflightProblem[],
	{ reader, outlet, paint }: { reader: LineReader; outlet: Outlet; paint: Paint },
): Promise<boolean> {
	const lines = problems.map(
		(problem) => `  ${paint("attention", visibleText(preflightText(problem)))}`,
	);
	outlet.write(`\nBefore the first agent is called:\n${lines.join("\n")}\n`);
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
		const line = await reader.readLine("Go on, or stop here? Nothing was paid yet. (go/stop): ");
		if (line === null) {
			// Ctrl-C leaves the cursor behind the prompt.
			outlet.write("\n");
			return false;
		}
		const said = line.trim().toLowerCase();
		if (["go", "g", "go on", "y", "yes"].includes(said)) return true;
		if (["stop", "s", "n", "no"].includes(said)) return false;
		outlet.write("Type go or stop.\n");
	}
	return false;
}
