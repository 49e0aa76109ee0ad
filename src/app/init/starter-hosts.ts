import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { ProjectKind } from "./project-kind.ts";
import { reachableHosts } from "../run/reachable-hosts.ts";

/** Larger lock files are not read. In bytes. */
const LARGEST_FILE = 64 * 1_024 * 1_024;

/** More are no registries, but downloads from everywhere. */
const MOST_HOSTS = 8;

/** Where lock files say that a package came from: npm and yarn, pnpm, uv. */
const DOWNLOAD =
	/(?:\bresolved"?:? "|\btarball: |\b(?:registry|url) = ")https?:\/\/(?:[^/@"\s]*@)?([^/:"\s]+)/g;

/** `registry=` and `@scope:registry=` in `.npmrc`. */
const NPM_REGISTRY = /^(?:@[^:=\s]+:)?registry\s*=\s*"?https?:\/\/(?:[^/@"\s]*@)?([^/:"\s]+)/gim;

/** A name that a sandbox can let through. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

async function hostsIn(file: string, pattern: RegExp): Promise<string[]> {
	try {
		const { size } = await stat(file);
		if (size > LARGEST_FILE) return [];
		const text = await readFile(file, "utf8");
		return [...text.matchAll(pattern)].map(([, host = ""]) => host.toLowerCase());
	} catch {
		return [];
	}
}

/**
 * Hosts from which the setup of a project installs packages, as its lock file and `.npmrc` name them, without the public
 * registries, which every setup reaches.
 *
 * @returns at most 8 names, such as `registry.example.org`, sorted
 */
export async function starterHosts(
	root: string,
	project: ProjectKind,
	home: string | undefined,
): Promise<readonly string[]> {
	if (project.setup.length === 0 || project.foundBy === null) return [];
	const settings = project.dependencies === "node_modules" ? [root, ...(home ? [home] : [])] : [];
	const found = await Promise.all([
		hostsIn(path.join(root, project.foundBy), DOWNLOAD),
		...settings.map((folder) => hostsIn(path.join(folder, ".npmrc"), NPM_REGISTRY)),
	]);
	const reachable = reachableHosts({ agents: {}, setup: project.setup }, {});
	return [...new Set(found.flat())]
		.filter((host) => HOST.test(host) && !reachable.includes(host))
		.sort()
		.slice(0, MOST_HOSTS);
}
