import { commandOf, type JsonFlag } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { printJson } from "../shell.ts";

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
