import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClientApp } from "@agentclientprotocol/sdk";
import { attempt } from "../../kernel/attempt.ts";
import { fieldsOf, wordsOf } from "../../kernel/fields.ts";
import { quote } from "../quote.ts";
import type { Rights } from "../rights.ts";
import { answerPermission, CHANGING, type PermissionAnswer } from "./permission.ts";
import type { SessionReader } from "./session-reader.ts";
import { MAX_PATHS, type ToolCallFacts } from "./tool-calls.ts";

type Sdk = typeof import("@agentclientprotocol/sdk");

export interface ClientDesk {
	readonly rights: Rights;
	readonly places: SessionPlaces;
	readonly reader: SessionReader;
	/** Aborted once the turn is cancelled, which also cancels open requests. */
	readonly off: AbortSignal;
}

async function whereIs(
	{ kinds, paths }: ToolCallFacts,
	{ places, off }: ClientDesk,
): Promise<"none" | "inside" | "outside"> {
	if (paths.length > MAX_PATHS) return "outside";
	if (paths.length === 0) return "none";
	const isAllowed = kinds.some((kind) => CHANGING.has(kind)) ? mayChange : mayLookAt;
	// One after another, so that many requests at once do not take all hands of the file system.
	for (const path of paths) {
		if (off.aborted || !(await isAllowed(path, places))) return "outside";
	}
	return "inside";
}

async function leaveFor(params: unknown, desk: ClientDesk): Promise<PermissionAnswer> {
	const { toolCall, options } = fieldsOf(params);
	const facts = desk.reader.tool(toolCall);
	const paths = await whereIs(facts, desk);
	const answer = desk.off.aborted
		? { optionId: null, refused: "the turn was cancelled" }
		: answerPermission(desk.rights, { kinds: [facts.kind, ...facts.kinds], paths, options });
	desk.reader.permission(facts, answer.refused);
	return answer;
}

// Some agents write files through the client without asking whether it can; it is then their only way to a file.
async function writeFor(sdk: Sdk, params: unknown, desk: ClientDesk): Promise<object> {
	const { path, content } = fieldsOf(params);
	const named = wordsOf(path);
	if (named === null || typeof content !== "string") throw sdk.RequestError.invalidParams();
	const mayWrite = desk.rights !== "read" && !desk.off.aborted;
	const isWritten = mayWrite && (await writeInside(desk.places.checkout, named, content));
	desk.reader.note(`${isWritten ? "wrote" : "refused to write"} ${quote(named)} for the agent`);
	if (isWritten) return {};
	throw sdk.RequestError.invalidParams(undefined, "this file may not be written");
}

// Requests other than these two are answered with "method not found".
export function clientSide(sdk: Sdk, desk: ClientDesk): ClientApp {
	const raw = (params: unknown): unknown => params;
	const { session, fs } = sdk.methods.client;
	return sdk
		.client({ name: "sparring" })
		.onRequest<unknown, unknown>(session.requestPermission, raw, async ({ params }) => {
			const { optionId } = await leaveFor(params, desk);
			if (optionId === null) return { outcome: { outcome: "cancelled" } };
			return { outcome: { outcome: "selected", optionId } };
		})
		.onRequest<unknown, unknown>(fs.writeTextFile, raw, ({ params }) =>
			writeFor(sdk, params, desk),
		);
}

export interface SessionPlaces {
	readonly checkout: string;
	readonly workDir: string;
	readonly tmpDir: string;
}

async function exists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	);
}

// Null where a link leads nowhere or cannot be followed.
async function realTarget(path: string): Promise<string | null> {
	const missing: string[] = [];
	for (let at = path; ; at = dirname(at)) {
		try {
			return join(await realpath(at), ...missing);
		} catch {
			// What is there but has no real path is a link that leads nowhere yet: writing to it would make its target.
			if ((await exists(at)) || dirname(at) === at) return null;
			missing.unshift(basename(at));
		}
	}
}

// Null when it leads out; empty for `root` itself.
function wayInto(root: string, path: string): readonly string[] | null {
	const way = relative(root, path);
	if (isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`)) return null;
	return way === "" ? [] : way.split(sep);
}

const isGit = (name: string | undefined): boolean => name?.toLowerCase() === ".git";

// An agent names a path as absolute, as a file address, or relative to the checkout.
function absolutePath(checkout: string, named: string): string | null {
	if (named.startsWith("~") || named.includes("\0")) return null;
	if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(named)) return resolve(checkout, named);
	return attempt(() => fileURLToPath(named), null);
}

async function wayFrom(root: string, path: string): Promise<readonly string[] | null> {
	const [top, target] = await Promise.all([realpath(root), realTarget(path)]);
	return target === null ? null : wayInto(top, target);
}

/** Tells whether a path lies in an agent's checkout or the directory of its call, links followed. */
export async function mayLookAt(named: string, places: SessionPlaces): Promise<boolean> {
	const path = absolutePath(places.checkout, named);
	if (path === null) return false;
	const ways = [await wayFrom(places.checkout, path), await wayFrom(places.workDir, path)];
	return ways.some((way) => way !== null);
}

/**
 * Tells whether a path lies in an agent's checkout (not itself or its `.git`) or in its call's temporary directory,
 * links followed.
 */
export async function mayChange(named: string, places: SessionPlaces): Promise<boolean> {
	const path = absolutePath(places.checkout, named);
	if (path === null) return false;
	const inside = await wayFrom(places.checkout, path);
	if (inside !== null) return inside.length > 0 && !isGit(inside[0]);
	return (await wayFrom(places.tmpDir, path)) !== null;
}

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// On Linux the name of something in an open directory, whatever its path has become meanwhile.
function nameIn(directory: FileHandle, path: string, name: string): string {
	return process.platform === "linux" ? `/proc/self/fd/${directory.fd}/${name}` : join(path, name);
}

async function openDirectory(path: string): Promise<FileHandle> {
	await mkdir(path).catch(() => undefined);
	return open(path, DIRECTORY);
}

// Makes directories; no link on the way is followed.
async function openAlong(root: string, way: readonly string[]): Promise<FileHandle> {
	const name = way.at(-1);
	if (name === undefined) throw new Error("a checkout is no file");
	let path = root;
	let directory = await open(path, DIRECTORY);
	try {
		for (const step of way.slice(0, -1)) {
			const next = await openDirectory(nameIn(directory, path, step));
			await directory.close();
			directory = next;
			path = join(path, step);
		}
		return await open(nameIn(directory, path, name), FILE, 0o644);
	} finally {
		await directory.close();
	}
}

/**
 * Writes a text file of the checkout for an agent that asks for it. Links that stay in the checkout are followed once;
 * on Linux a link that is planted meanwhile is not, so that an agent in a sandbox cannot make Sparring write what it
 * may not. False, with nothing written, for a path outside, in `.git`, or to what is not a regular file.
 */
export async function writeInside(checkout: string, named: string, text: string): Promise<boolean> {
	const path = absolutePath(checkout, named);
	const way = path === null ? null : await wayFrom(checkout, path);
	if (way === null || way.length === 0 || isGit(way[0])) return false;
	const file = await openAlong(await realpath(checkout), way);
	try {
		const stat = await file.stat();
		// A file with another name, outside the checkout, would change with this one.
		if (!stat.isFile() || stat.nlink > 1) return false;
		await file.truncate();
		await file.writeFile(text);
		return true;
	} finally {
		await file.close();
	}
}
