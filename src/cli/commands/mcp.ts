import { type CliCommand, commandOf } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import type { LoadCommand } from "../terminal/verb-command.ts";

/** @param load loads the commands that are tools too */
export const mcpCommand = (load: LoadCommand): CliCommand =>
	commandOf(
		{
			examples: ["spar mcp", "spar mcp --json", "spar mcp --json > .mcp.json"],
			options: { "--json": "print what an agent's settings need, and serve nothing" },
		},
		async (shell, { json }) => {
			if (json === true)
				return { json: { mcpServers: { sparring: { command: "spar", args: ["mcp"] } } } };
			const { serveMcp } = await import("../mcp/serve-mcp.ts");
			const tell = (text: string): void => shell.err.print(`${text}\n`);
			if (shell.isTyped) tell("waits for a program that speaks MCP; press Ctrl-C to end it");
			await interruptible(shell, (signal) => serveMcp(shell, signal, load), tell);
			return EXIT.done;
		},
	);
