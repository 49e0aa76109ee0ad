import { commandOf } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { printJson } from "../terminal/shell.ts";

export const command = commandOf(
	{
		examples: ["spar graph", "spar graph > task.mmd", "spar graph --json"],
	},
	async (shell, flags) => {
		const { mermaid: drawGraph } = await import("../../library/graph.ts");
		const mermaid = (await drawGraph()).trimEnd();
		if (flags.json === true) printJson(shell, { mermaid });
		else shell.out.write(`${mermaid}\n`);
		return EXIT.done;
	},
);
