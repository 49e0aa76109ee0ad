import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PROGRAM } from "./program.ts";
import type { TestRepository } from "./repository.ts";
import { tidyLater } from "./tidy.ts";

/** Answer of a tool: its text, what `--json` prints, and each message of progress in order. */
export interface ToolResult {
	readonly isError: boolean;
	readonly text: string;
	readonly json: unknown;
	readonly progress: readonly string[];
}

/** A client of `spar mcp` in a repository, by the official library. */
export interface McpClient {
	readonly client: Client;
	/** What on the wire was no message of the protocol. */
	readonly errors: readonly Error[];
	/** Process id of the server. */
	readonly pid: number;
	readonly call: (
		name: string,
		args?: Readonly<Record<string, unknown>>,
		signal?: AbortSignal,
	) => Promise<ToolResult>;
}

/** Starts the server and connects; closed after the tests of the file at the latest. */
export async function mcpClient(
	repo: TestRepository,
	{
		env = {},
		mode = "legacy",
		cwd = repo.root,
	}: {
		readonly env?: Readonly<Record<string, string>>;
		/** Revision of the protocol: the one with a handshake, or the newest that both know. */
		readonly mode?: "legacy" | "auto";
		readonly cwd?: string;
	} = {},
): Promise<McpClient> {
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [PROGRAM, "mcp"],
		cwd,
		env: { ...repo.env, ...env },
		stderr: "ignore",
	});
	const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
	const errors: Error[] = [];
	client.onerror = (error) => void errors.push(error);
	await client.connect(transport);
	tidyLater(() => void client.close());
	return {
		client,
		errors,
		pid: transport.pid ?? 0,
		call: async (name, args = {}, signal = new AbortController().signal) => {
			const progress: string[] = [];
			const result = await client.callTool(
				{ name, arguments: args },
				{ signal, timeout: 60_000, onprogress: ({ message = "" }) => void progress.push(message) },
			);
			const [first] = result.content;
			return {
				isError: result.isError === true,
				text: first?.type === "text" ? first.text : "",
				json: result.structuredContent,
				progress,
			};
		},
	};
}
