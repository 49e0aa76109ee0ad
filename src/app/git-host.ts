import { homedir } from "node:os";
import { type GitHost, standardHost } from "../git/standard-host.ts";

/** Where git is found and whose configuration the user's own work tree follows. */
export function gitHost(env: Readonly<Record<string, string | undefined>>): GitHost {
	const configHome = env["XDG_CONFIG_HOME"];
	return {
		path: env["PATH"] ?? standardHost.path,
		home: env["HOME"] ?? homedir(),
		...(configHome === undefined || configHome === "" ? {} : { configHome }),
	};
}
