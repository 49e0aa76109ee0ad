import { commandOf, type JsonFlag } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { printJson } from "../terminal/shell.ts";

export const command = commandOf<JsonFlag>(
	{
		examples: ["spar graph", "spar graph > task.mmd", "spar graph --json"],
		options: { "--json": "print JSON" },
	},
	async (shell, flags) => {
		const mermaid = (await shell.drawGraph()).trimEnd();
		if (flags.json === true) printJson(shell, { mermaid });
		else shell.out.write(`${mermaid}\n`);
		return EXIT.done;
	},
);
