export interface Forge {
	/** null: a host that is not known to be one of these. */
	readonly kind: "github" | "gitlab" | "bitbucket" | null;
	readonly host: string;
	/** Such as `"owner/repository"`. */
	readonly path: string;
}

const ALTERNATIVES: Readonly<Record<string, string>> = {
	"ssh.github.com": "github.com",
	"altssh.gitlab.com": "gitlab.com",
	"altssh.bitbucket.org": "bitbucket.org",
};

/**
 * Finds the place of a remote, without the credentials of its address.
 *
 * @returns null for a path on this machine, and for a host that only this machine's ssh configuration knows
 * @example `forgeOf("git@github.com:acme/limiter.git")` is `{ kind: "github", host: "github.com", path: "acme/limiter" }`
 */
export function forgeOf(address: string): Forge | null {
	const place = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? ofUrl(address) : ofScp(address);
	if (place === null) return null;
	const host = ALTERNATIVES[place.host] ?? place.host;
	const path = place.path.replaceAll(/^\/+|\/+$/g, "").replace(/\.git$/, "");
	if (!host.includes(".") || !path.includes("/")) return null;
	return { kind: kindOf(host), host, path };
}

interface Place {
	readonly host: string;
	readonly path: string;
}

function ofUrl(address: string): Place | null {
	if (!URL.canParse(address)) return null;
	const { protocol, host, hostname, pathname } = new URL(address);
	const isWeb = protocol === "https:" || protocol === "http:";
	if (!isWeb && !/^(?:git\+)?ssh:$|^git:$/.test(protocol)) return null;
	return { host: isWeb ? host : hostname, path: decoded(pathname) };
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

function ofScp(address: string): Place | null {
	const [, host = "", path = ""] = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(address) ?? [];
	return host === "" ? null : { host: host.toLowerCase(), path };
}

function kindOf(host: string): Forge["kind"] {
	// A company's own is github.company.com, but github.com.elsewhere is somebody else's.
	if (/^github\.(?!com\.)|\.ghe\.com$/.test(host)) return "github";
	if (/^gitlab\.(?!com\.)/.test(host)) return "gitlab";
	return host === "bitbucket.org" ? "bitbucket" : null;
}

const segments = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

export function pullRequestUrl(
	{ kind, host, path }: Forge,
	{ base, branch }: { readonly base: string; readonly branch: string },
): string {
	const page = `https://${host}/${segments(path)}`;
	const query = (names: readonly [string, string]): string =>
		new URLSearchParams({ [names[0]]: branch, [names[1]]: base }).toString();
	switch (kind) {
		case "github":
			return `${page}/compare/${segments(base)}...${segments(branch)}?expand=1`;
		case "gitlab":
			return `${page}/-/merge_requests/new?${query(["merge_request[source_branch]", "merge_request[target_branch]"])}`;
		case "bitbucket":
			return `${page}/pull-requests/new?${query(["source", "dest"])}`;
		case null:
			return page;
	}
}
