import { existsSync, lstatSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { asideOf } from "../../kernel/aside.ts";
import { Fault } from "../../kernel/fault.ts";
import { fieldAt, fieldsOf, jsonIn, listOf, textAt } from "../../kernel/fields.ts";
import { systemCode } from "../../kernel/system-code.ts";
import { isInside, realPathOf } from "../../places/places.ts";
import { installedHarnesses } from "../../seats/harnesses.ts";
import type { HarnessName } from "../../workflow/harnesses.ts";
import { writeFault } from "./init.ts";
import { type AgentHook, type ChangedSettings, withHook, withoutHook } from "./settings-hook.ts";

/** File that tells coding agents of Sparring, and what became of it. */
export interface AgentFile {
	/** Relative to the top of the repository. */
	readonly path: string;
	readonly outcome: "written" | "removed" | "unchanged" | "kept";
	/** Why it is kept, or what is left to do. */
	readonly note: string | null;
}

export interface AgentFilesRequest {
	readonly root: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Absolute folder of the plugin, whose skill and hooks these are. */
	readonly plugin: string;
	readonly isRemoval: boolean;
}

const SKILL = "skills/sparring";

/** Folders of a repository in which harnesses look for skills. */
const READERS: Readonly<Record<string, readonly HarnessName[]>> = {
	".claude": ["claude"],
	".agents": ["codex", "gemini", "opencode"],
};

interface HookPlace {
	readonly harness: HarnessName;
	/** Relative to the top of the repository. */
	readonly path: string;
	/** Its name for the end of a turn, which the hook can block, where it is not `Stop`. */
	readonly stop?: string;
	/** Units of its time limits in a second. */
	readonly perSecond: number;
	/** Of one that is written: what is left to do. */
	readonly note: string | null;
}

/** Files in which harnesses look for hooks. Plugins of opencode hear of the end of a turn when it is over. */
const HOOKS: readonly HookPlace[] = [
	{ harness: "claude", path: ".claude/settings.json", perSecond: 1, note: null },
	{
		harness: "codex",
		path: ".codex/hooks.json",
		perSecond: 1,
		note: "Codex runs its hooks once you trust them there: /hooks",
	},
	{
		harness: "gemini",
		path: ".gemini/settings.json",
		stop: "AfterAgent",
		perSecond: 1_000,
		note: null,
	},
];

/**
 * Installs the skill and the hooks of a session's start and stop where a harness that reads them is on the machine or has a folder in the
 * repository; or takes away what is Sparring's. What is somebody else's stays.
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
	const hooks = await readFile(path.join(plugin, "hooks/hooks.json"), "utf8");
	const files: AgentFile[] = [];
	for (const folder of folders)
		files.push(await placeSkill(request, path.join(folder, SKILL), skill));
	for (const place of HOOKS) {
		// A seat of Gemini CLI has fewer rights in a checkout with this folder, so none is made for the hook.
		const isWanted = place.harness === "gemini" ? isThere(".gemini") : isUsed(place.harness);
		if (isRemoval ? isThere(place.path) : isWanted)
			files.push(await placeHooks(request, place, hooksOf(hooks, place)));
	}
	return files;
}

function hooksOf(text: string, { stop = "Stop", perSecond }: HookPlace): AgentHook[] {
	return Object.entries(fieldsOf(fieldAt(jsonIn(text), "hooks"))).map(([name, entries]) => {
		const [entry] = listOf(entries);
		const [hook] = listOf(fieldAt(entry, "hooks"));
		const timeout = Number(fieldAt(hook, "timeout")) * perSecond;
		const own = { ...fieldsOf(entry), hooks: [{ ...fieldsOf(hook), timeout }] };
		const event = name === "Stop" ? stop : name;
		return { event, entry: own, command: textAt(hook, "command") ?? "" };
	});
}

const entryAt = (file: string) => lstatSync(file, { throwIfNoEntry: false });

/** Reason for which a file of the user's may not be changed; null: it may. */
function obstacleAt(file: string, root: string): string | null {
	const real = realPathOf(file);
	const found = entryAt(real);
	// A link that is left leads nowhere yet.
	if (!isInside(root, real) || found?.isSymbolicLink() === true)
		return "it is behind a link that leads out of the repository";
	return found !== undefined && (found.mode & 0o222) === 0 ? "it is read-only" : null;
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
	const note = obstacleAt(file, root);
	if (note !== null) return { path: at, outcome: "kept", note };
	await replaceText(root, file, isRemoval ? null : text);
	return { path: at, outcome: isRemoval ? "removed" : "written", note: null };
}

async function placeHooks(
	{ root, isRemoval }: AgentFilesRequest,
	{ path: at, note: left }: HookPlace,
	hooks: readonly AgentHook[],
): Promise<AgentFile> {
	const file = path.join(root, at);
	const text = await readText(file);
	const changed = changedBy(text, hooks, isRemoval);
	if ("isSame" in changed) return { path: at, outcome: "unchanged", note: null };
	const reason = obstacleAt(file, root) ?? ("reason" in changed ? changed.reason : null);
	if (reason !== null || "reason" in changed) {
		const parts = Object.fromEntries(hooks.map(({ event, entry }) => [event, [entry]]));
		const part = JSON.stringify({ hooks: parts });
		const note = `${reason}; ${isRemoval ? "take out" : "add"} by hand: ${part}`;
		return { path: at, outcome: "kept", note };
	}
	const isLink = entryAt(file)?.isSymbolicLink() === true;
	await replaceText(root, file, changed.text ?? (isLink ? "{}\n" : null));
	return isRemoval
		? { path: at, outcome: "removed", note: null }
		: { path: at, outcome: "written", note: left };
}

/** All of them, or none: half a pair is not what its user was told. */
function changedBy(
	text: string | null,
	hooks: readonly AgentHook[],
	isRemoval: boolean,
): ChangedSettings {
	let changed: ChangedSettings = { isSame: true };
	let now = text;
	for (const hook of hooks) {
		const step = isRemoval ? withoutHook(now ?? "", hook) : withHook(now ?? "{}\n", hook);
		if ("reason" in step) return step;
		if ("isSame" in step) continue;
		now = step.text;
		changed = step;
	}
	return changed;
}

async function replaceText(root: string, file: string, text: string | null): Promise<void> {
	try {
		await (text === null ? removeFile(root, file) : writeWhole(realPathOf(file), text));
	} catch (error) {
		throw writeFault(file, error);
	}
}

// In one step: a full disk must not cost the user's settings.
async function writeWhole(file: string, text: string): Promise<void> {
	const aside = asideOf(file);
	try {
		await mkdir(path.dirname(file), { recursive: true });
		// With the rights of the one that is there.
		if (existsSync(file)) await copyFile(file, aside);
		await writeFile(aside, text);
		await rename(aside, file);
	} catch (error) {
		await rm(aside, { force: true });
		throw error;
	}
}

// With the folders that are empty then; one behind a link is the user's.
async function removeFile(root: string, file: string): Promise<void> {
	await rm(file);
	for (let folder = path.dirname(file); folder !== root; folder = path.dirname(folder)) {
		const isGone = await rmdir(folder).then(
			() => true,
			() => false,
		);
		if (!isGone) return;
	}
}
