import { homedir } from "node:os";
import { type GitHost, standardHost } from "../git/standard-host.ts";

export function gitHost(env: Readonly<Record<string, string | undefined>>): GitHost {
	const configHome = env["XDG_CONFIG_HOME"];
	return {
		path: env["PATH"] ?? standardHost.path,
		home: env["HOME"] ?? homedir(),
		...(configHome === undefined || configHome === "" ? {} : { configHome }),
	};
}
