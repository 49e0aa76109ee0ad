import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort, saysReady } from "./server-process.ts";

/** A server of git on loopback, to which everybody may push. */
export interface GitDaemon {
	/** The address of a repository below its folder, such as `git://127.0.0.1:40123/remote.git`. */
	address(repository: string): string;
	close(): Promise<void>;
}

/** Serves the repositories of a folder. */
export async function gitDaemon(folder: string): Promise<GitDaemon> {
	const port = await freePort();
	const where = ["--listen=127.0.0.1", `--port=${port}`, "--reuseaddr", `--base-path=${folder}`];
	const allowed = ["--export-all", "--enable=receive-pack"];
	const child = spawn("git", ["daemon", "--verbose", ...allowed, ...where, folder], {
		stdio: ["ignore", "ignore", "pipe"],
		detached: true,
	});
	const ended = once(child, "close");
	await saysReady(child, "Ready to rumble");
	return {
		address: (repository) => `git://127.0.0.1:${port}/${repository}`,
		close: async () => {
			// With the processes that still serve a connection.
			if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
			await ended;
		},
	};
}
