import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { fieldAt, jsonIn, listOf, textAt } from "../../kernel/fields.ts";
import { systemCode } from "../../kernel/system-code.ts";
import { installedHarnesses } from "../../seats/harnesses.ts";
import type { HarnessName } from "../../workflow/harnesses.ts";
import { writeFault } from "./init.ts";
import { type StopHook, withoutStopHook, withStopHook } from "./settings-hook.ts";

/** File that tells coding agents of Sparring, and what became of it. */
export interface AgentFile {
	/** Relative to the top of the repository. */
	readonly path: string;
	readonly outcome: "written" | "removed" | "unchanged" | "kept";
	/** Of one that is kept: why, and what to do. */
	readonly note: string | null;
}

export interface AgentFilesRequest {
	readonly root: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Absolute folder of the plugin, whose skill and hook these are. */
	readonly plugin: string;
	readonly isRemoval: boolean;
}

const SETTINGS = ".claude/settings.json";
const SKILL = "skills/sparring";

/** Folders of a repository in which harnesses look for skills. */
const READERS: Readonly<Record<string, readonly HarnessName[]>> = {
	".claude": ["claude"],
	".agents": ["codex", "gemini", "opencode"],
};

/**
 * Installs the skill, and for Claude Code the Stop hook, where a harness that reads them is on the machine or has a folder
 * in the repository; or takes away what is Sparring's. What is somebody else's stays.
 *
 * @throws Fault `usage` where no such harness is found, `state-unwritable`, `disk-full`
 */
export async function agentFiles(request: AgentFilesRequest): Promise<readonly AgentFile[]> {
	const { root, env, plugin, isRemoval } = request;
	const isThere = (name: string): boolean => existsSync(path.join(root, name));
	const isUsed = (name: HarnessName): boolean =>
		installedHarnesses(env).includes(name) || isThere(`.${name}`);
	const folders = Object.entries(READERS).flatMap(([folder, names]) =>
		isThere(folder) || names.some(isUsed) ? [folder] : [],
	);
	if (folders.length === 0 && !isRemoval)
		throw new Fault("no coding agent that reads skills is on the PATH, or has a folder here", {
			code: "usage",
			hint: "Install Claude Code, Codex, Gemini CLI or opencode; or make its folder first: mkdir .claude",
		});
	const skill = await readFile(path.join(plugin, SKILL, "SKILL.md"), "utf8");
	const hook = stopHookOf(await readFile(path.join(plugin, "hooks/hooks.json"), "utf8"));
	const files: AgentFile[] = [];
	for (const folder of folders) {
		files.push(await placeSkill(request, path.join(folder, SKILL), skill));
		if (folder === ".claude") files.push(await placeHook(request, hook));
	}
	return files;
}

function stopHookOf(text: string): StopHook {
	const [entry] = listOf(fieldAt(jsonIn(text), "hooks", "Stop"));
	const [hook] = listOf(fieldAt(entry, "hooks"));
	return { entry, command: textAt(hook, "command") ?? "" };
}

async function readText(file: string): Promise<string | null> {
	try {
		return await readFile(file, "utf8");
	} catch (error) {
		if (systemCode(error) === "ENOENT") return null;
		throw writeFault(file, error);
	}
}

// Line ends are git's, and no change of the user's.
const isSame = (one: string, other: string): boolean =>
	one.replaceAll("\r\n", "\n") === other.replaceAll("\r\n", "\n");

async function placeSkill(
	{ root, isRemoval }: AgentFilesRequest,
	folder: string,
	text: string,
): Promise<AgentFile> {
	const at = path.join(folder, "SKILL.md");
	const file = path.join(root, at);
	const there = await readText(file);
	const isOurs = there !== null && isSame(there, text);
	const names = await readdir(path.dirname(file)).catch(() => []);
	if (!isOurs && names.length > 0) {
		const remedy = `remove ${folder} first, where it is not needed`;
		const note = isRemoval ? "it is not Sparring's" : `another skill has this folder; ${remedy}`;
		return { path: at, outcome: "kept", note };
	}
	if (isOurs === !isRemoval) return { path: at, outcome: "unchanged", note: null };
	await replaceText(root, file, isRemoval ? null : text);
	return { path: at, outcome: isRemoval ? "removed" : "written", note: null };
}

async function placeHook(
	{ root, isRemoval }: AgentFilesRequest,
	hook: StopHook,
): Promise<AgentFile> {
	const file = path.join(root, SETTINGS);
	const text = await readText(file);
	if (text === null && isRemoval) return { path: SETTINGS, outcome: "unchanged", note: null };
	const changed = isRemoval
		? withoutStopHook(text ?? "", hook)
		: withStopHook(text ?? "{}\n", hook);
	if ("isSame" in changed) return { path: SETTINGS, outcome: "unchanged", note: null };
	if ("reason" in changed) {
		const part = JSON.stringify({ hooks: { Stop: [hook.entry] } });
		const note = `${changed.reason}; ${isRemoval ? "take out" : "add"} by hand: ${part}`;
		return { path: SETTINGS, outcome: "kept", note };
	}
	await replaceText(root, file, changed.text);
	return { path: SETTINGS, outcome: isRemoval ? "removed" : "written", note: null };
}

async function replaceText(root: string, file: string, text: string | null): Promise<void> {
	try {
		if (text === null) return await removeFile(root, file);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, text);
	} catch (error) {
		throw writeFault(file, error);
	}
}

// With the folders that are empty then.
async function removeFile(root: string, file: string): Promise<void> {
	await rm(file);
	let folder = path.dirname(file);
	while (folder !== root && (await readdir(folder)).length === 0) {
		await rmdir(folder);
		folder = path.dirname(folder);
	}
}
