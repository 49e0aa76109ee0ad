import { homedir } from "node:os";

/** Part of the surrounding environment that git sees; everything else is replaced. */
export interface GitHost {
	/** Folders in which git is looked for, such as `"/usr/local/bin:/usr/bin:/bin"`. */
	readonly path: string;
	/** Home directory, read only where the user's own configuration applies. */
	readonly home: string;
	/** `XDG_CONFIG_HOME` of the user, when set: the other place of a user's git configuration. */
	readonly configHome?: string;
}

/** The usual program folders and the user's home directory, for callers that read no environment. */
export const standardHost: GitHost = {
	path: "/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	home: homedir(),
};
