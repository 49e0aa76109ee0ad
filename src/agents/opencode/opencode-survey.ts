import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../kernel/system-code.ts";
import { exists } from "../harness/exists.ts";
import type { HarnessSeat, HarnessSurvey } from "../harness/harness.ts";
import { holdsOption, storeOf } from "../harness/seat-options.ts";

/** The file in which opencode keeps the user's sign-ins; undefined with `login: key`, or when nobody knows where. */
function storedSignIn(seat: HarnessSeat): string | undefined {
	const shared = seat.login === "key" ? undefined : storeOf(seat, "XDG_DATA_HOME", ".local/share");
	return shared === undefined ? undefined : join(shared, "opencode", "auth.json");
}

/** Files of the checkout in which opencode looks for plugins. */
const CONFIGURATIONS = [
	"opencode.json",
	"opencode.jsonc",
	".opencode/opencode.json",
	".opencode/opencode.jsonc",
] as const;

/** More of a configuration is not looked at, and counts as naming a plugin: bytes. */
const LIMIT = 1_000_000;

async function folderOfPlugins(cwd: string): Promise<string | null> {
	const folder = join(cwd, ".opencode");
	try {
		const names = await readdir(folder);
		const found = names.find((name) => /^plugins?$/i.test(name));
		return found === undefined ? null : `.opencode/${found}`;
	} catch {
		return null;
	}
}

async function namesPlugin(path: string): Promise<boolean> {
	try {
		const info = await stat(path);
		// What is not a plain file of a plain size was put there by somebody who knows why.
		if (!info.isFile() || info.size > LIMIT) return true;
		const file = await open(path, "r");
		try {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(LIMIT));
			// JSON may spell a letter as \u0070.
			return /plugin|\\u/i.test(buffer.toString("utf8", 0, bytesRead));
		} finally {
			await file.close();
		}
	} catch (error) {
		const code = systemCode(error);
		return code !== "ENOENT" && code !== "ENOTDIR";
	}
}

/** @returns path of what opencode would load as a plugin, relative to the checkout; null when there is nothing */
async function plugins(cwd: string): Promise<string | null> {
	const folder = await folderOfPlugins(cwd);
	if (folder !== null) return folder;
	for (const path of CONFIGURATIONS) {
		if (await namesPlugin(join(cwd, path))) return path;
	}
	return null;
}

/**
 * Looks at whether the checkout holds plugins. opencode 1.18 runs them in its own process whatever its switches say,
 * with the user's sign-in at hand; another agent may have planted them, so the call is refused then. A user who trusts
 * them writes `args: ["--no-pure"]`.
 *
 * @returns `signIn`, the file of the user's sign-in when it exists
 */
export async function opencodeSurvey(seat: HarnessSeat): Promise<HarnessSurvey> {
	const path = storedSignIn(seat);
	const found: Record<string, string> =
		path !== undefined && (await exists(path)) ? { signIn: path } : {};
	const plugin = holdsOption(seat.args, "--no-pure") ? null : await plugins(seat.cwd);
	if (plugin === null) return { found, refusal: null };
	const refusal = `opencode would run plugins from the checkout (${plugin}); remove them, or write args: ["--no-pure"] for this agent`;
	return { found, refusal };
}
