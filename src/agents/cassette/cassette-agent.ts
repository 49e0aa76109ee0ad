import { lstat, mkdir, realpath, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { AGENT_FAILURES } from "../../kernel/roles.ts";
import { systemCode } from "../../kernel/system-code.ts";
import type { Agent, AgentBreakdown, AgentCall, AgentOutcome, Usage } from "../agent.ts";
import {
	type Cassette,
	type CassetteLine,
	isGitFolder,
	lineKey,
	pathProblem,
	type RecordedContent,
} from "./read-cassette.ts";

function broken(message: string): AgentBreakdown {
	return { kind: "failed", failure: "unknown", message, output: "", ms: 0 };
}

function missing(call: AgentCall): AgentBreakdown {
	const subtask = call.subtask === null ? "" : `, subtask ${call.subtask}`;
	const { role, task, turn } = call;
	return broken(
		`no recorded call ${call.call} of ${role} for task ${task}${subtask}, turn ${turn}`,
	);
}

function outcomeOf(line: CassetteLine): AgentOutcome {
	const failure = AGENT_FAILURES.find((known) => known === line.outcome);
	const { report, output, ms } = line;
	const usage = usageOf(line.usage);
	if (failure !== undefined) {
		const message = `the recorded call failed: ${failure}`;
		return { kind: "failed", failure, message, output, ms, usage };
	}
	return {
		kind: "answered",
		report: typeof report === "string" || report === null ? report : JSON.stringify(report),
		output,
		ms,
		usage,
	};
}

function usageOf(recorded: CassetteLine["usage"]): Usage | null {
	if (recorded === null) return null;
	const { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd } = recorded;
	return { inputTokens, outputTokens, costUsd, model: recorded.model };
}

/**
 * An agent that repeats recorded calls, found by role, task, subtask, turn and call. One without a line, or with files
 * that would leave the checkout, fails as `unknown`. The recorded time is not waited for.
 */
export function cassetteAgent(cassette: Cassette): Agent {
	return {
		// Its prompts are read by nobody.
		handsIn: "file",
		call: async (call: AgentCall, signal: AbortSignal): Promise<AgentOutcome> => {
			signal.throwIfAborted();
			const line = cassette.lines.get(lineKey(call));
			if (line === undefined) return missing(call);
			try {
				await applyFiles(call.cwd, line.files);
			} catch (error) {
				if (error instanceof Fault) return broken(error.message);
				throw error;
			}
			signal.throwIfAborted();
			return outcomeOf(line);
		},
	};
}

function refused(path: string, problem: string): Fault {
	return new Fault(`the recorded file ${JSON.stringify(path)} ${problem}`, {
		code: "cassette-invalid",
		hint: "Delete the path from the cassette, or record it again.",
	});
}

async function kindOf(path: string): Promise<"missing" | "directory" | "link" | "file"> {
	try {
		const stats = await lstat(path);
		if (stats.isSymbolicLink()) return "link";
		return stats.isDirectory() ? "directory" : "file";
	} catch (error) {
		if (systemCode(error) === "ENOENT") return "missing";
		throw error;
	}
}

// Inside the checkout, and not git's own.
async function linkedFolder(root: string, link: string, path: string): Promise<string> {
	const target = await realpath(link).catch(() => "");
	const inside = relative(root, target);
	const escapes = target === "" || inside === ".." || inside.startsWith(`..${sep}`);
	if (escapes || inside.split(sep).some(isGitFolder)) {
		throw refused(path, "is behind a symbolic link that leaves the checkout");
	}
	return target;
}

// Walked name by name: a planted link is noticed before anything is written behind it.
async function folderOf(root: string, path: string, make: boolean): Promise<string | null> {
	let folder = root;
	for (const name of path.split("/").slice(0, -1)) {
		const next = join(folder, name);
		const kind = await kindOf(next);
		if (kind === "directory") folder = next;
		else if (kind === "link") folder = await linkedFolder(root, next, path);
		if (kind === "directory" || (kind === "link" && (await kindOf(folder)) === "directory"))
			continue;
		if (!make) return null;
		// A file where a directory must be is replaced.
		await rm(next, { force: true });
		await mkdir(next);
		folder = next;
	}
	return folder;
}

async function write(target: string, content: Exclude<RecordedContent, null>): Promise<void> {
	// Removed first: nothing is written through a link, and no other name of the same file changes.
	await rm(target, { recursive: true, force: true });
	if (typeof content === "string") return writeFile(target, content, { flag: "wx" });
	if ("link" in content) return symlink(content.link, target);
	const bytes = Buffer.from(content.base64, "base64");
	if (content.mode === "120000") return symlink(bytes, target);
	const mode = content.mode === "100755" ? 0o777 : 0o666;
	return writeFile(target, bytes, { flag: "wx", mode });
}

// With the folders that it leaves empty, as git does.
async function remove(root: string, folder: string, target: string): Promise<void> {
	await rm(target, { recursive: true, force: true });
	for (let empty = folder; empty !== root; empty = dirname(empty)) {
		try {
			await rmdir(empty);
		} catch {
			// Not empty: it stays, and so do those above it.
			return;
		}
	}
}

/**
 * Makes a checkout hold what a recorded call left: removals first, then files and links in the order of their paths.
 * Nothing outside the checkout and nothing of git is touched, whatever links an earlier call planted.
 *
 * @throws Fault `cassette-invalid` for a path that leaves the checkout; files before it have been written
 */
export async function applyFiles(
	checkout: string,
	files: Readonly<Record<string, RecordedContent>>,
): Promise<void> {
	const root = await realpath(checkout);
	const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
	for (const [path] of entries) {
		const problem = pathProblem(path);
		if (problem !== null) throw refused(path, problem);
	}
	for (const [path, content] of entries) {
		if (content !== null) continue;
		const folder = await folderOf(root, path, false);
		if (folder !== null) await remove(root, folder, join(folder, path.split("/").at(-1) ?? ""));
	}
	for (const [path, content] of entries) {
		if (content === null) continue;
		const folder = await folderOf(root, path, true);
		if (folder !== null) await write(join(folder, path.split("/").at(-1) ?? ""), content);
	}
}
