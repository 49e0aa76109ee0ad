import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { packageVersion } from "../terminal/command.ts";
import { noPaint } from "../terminal/paint.ts";
import { renderError } from "../terminal/render-error.ts";
import type { Shell } from "../terminal/shell.ts";
import type { LoadCommand } from "../terminal/verb-command.ts";
import { type McpTool, mcpTools } from "./tools.ts";

const LONGEST_TEXT = 20_000;
// Agents take in no more than about 25,000 tokens of an answer.
const LONGEST_JSON = 60_000;
const BEAT_S = 10;

/**
 * Speaks the Model Context Protocol on standard input and output until the input ends or the signal aborts. Then what
 * still works is aborted, and has ended when it resolves.
 *
 * @param load loads the commands that are tools too
 */
export async function serveMcp(
	shell: Shell,
	signal: AbortSignal,
	load: LoadCommand,
): Promise<void> {
	const { McpServer } = await import("@modelcontextprotocol/server");
	const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
	const { stdin, stdout, mask } = await shell.openWire();
	const tools = Object.entries(await mcpTools(load));
	const open = new Set<Promise<unknown>>();
	const answered = (tool: McpTool, given: unknown, context: ServerContext) => {
		const work = answerOf(tool, given, { shell, context, mask });
		open.add(work);
		return work.finally(() => open.delete(work));
	};
	const makeServer = () => {
		const server = new McpServer({ name: "sparring", version: packageVersion() });
		for (const [name, tool] of tools) {
			const { description, input: inputSchema, isReadOnly: readOnlyHint } = tool;
			const config = { description, inputSchema, annotations: { readOnlyHint } };
			server.registerTool(name, config, (given, context) => answered(tool, given, context));
		}
		return server;
	};
	const transport = new StdioServerTransport(stdin, stdout);
	const handle = serveStdio(makeServer, { transport });
	const { promise: ended, resolve } = Promise.withResolvers<void>();
	const { onclose } = transport;
	transport.onclose = () => {
		onclose?.();
		resolve();
	};
	signal.addEventListener("abort", () => void handle.close(), { once: true });
	if (signal.aborted) await handle.close();
	await ended;
	await Promise.allSettled(open);
}

interface Asked {
	readonly shell: Shell;
	readonly context: ServerContext;
	readonly mask: (text: string) => string;
}

// Never rejects.
async function answerOf(
	tool: McpTool,
	given: unknown,
	{ shell, context, mask }: Asked,
): Promise<CallToolResult> {
	const { signal } = context.mcpReq;
	const progress = progressOf(shell, context, mask);
	try {
		const { json, text } = await tool.answer(given, { shell, signal, onNotice: progress.tell });
		const structuredContent: unknown = JSON.parse(mask(JSON.stringify(json, null, 2)));
		const told = shortened(mask(text));
		if (JSON.stringify(structuredContent).length <= LONGEST_JSON)
			return { content: [{ type: "text", text: told }], structuredContent };
		const note = "(its JSON is too long for an answer; --json of the command prints it)";
		return { content: [{ type: "text", text: `${told}\n${note}` }] };
	} catch (error) {
		const text = mask(renderError(error, noPaint));
		return { content: [{ type: "text", text }], isError: true };
	} finally {
		progress.end();
	}
}

// Clients wait longer where they hear something, and a test run says nothing for minutes.
function progressOf(shell: Shell, { mcpReq }: ServerContext, mask: Asked["mask"]) {
	const { progressToken } = mcpReq._meta ?? {};
	let [progress, seconds, last] = [0, 0, "working"];
	const send = (text: string): void => {
		if (progressToken === undefined) return;
		progress += 1;
		const params = { progressToken, progress, message: mask(text) };
		// Nobody listens any more.
		mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
	};
	const end = shell.everySecond(() => {
		seconds += 1;
		if (seconds % BEAT_S === 0) send(`${last} (${seconds} s)`);
	});
	const tell = (text: string): void => {
		last = text;
		send(text);
	};
	return { tell, end };
}

function shortened(text: string): string {
	if (text.length <= LONGEST_TEXT) return text;
	const half = LONGEST_TEXT / 2;
	return `${text.slice(0, half)}\n... (cut)\n${text.slice(-half)}`;
}
