import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { childEnvironment, type EnvironmentSource } from "../../process/environment.ts";
import { reachableHosts } from "../../seats/reachable-hosts.ts";
import { dependsOn } from "./node-part.ts";
import { type ProjectKind, projectKind } from "./project-kind.ts";
import { acceptance, projectFiles } from "./project-part.ts";

/** Setup and checks of a project, and what they need beyond that. */
export interface FoundProject {
	readonly project: ProjectKind;
	/** Hosts besides the known registries that its setup reaches. */
	readonly hosts: readonly string[];
	readonly unixSockets: boolean;
}

/**
 * Looks how the project in a folder is set up and tested.
 *
 * @param command takes the place of its acceptance checks
 */
export async function foundProject(
	root: string,
	env: EnvironmentSource,
	command: string | undefined,
): Promise<FoundProject> {
	const searchPath = childEnvironment(env)["PATH"] ?? "";
	const found = await projectKind(root, searchPath);
	const others = found.checks.filter(({ kind }) => kind !== "acceptance");
	const checks =
		command === undefined ? found.checks : [{ ...acceptance(command), name: "tests" }, ...others];
	const project = { ...found, checks };
	return {
		project,
		hosts: await starterHosts(root, project, env["HOME"]),
		unixSockets: await dependsOn(projectFiles(root, searchPath), "tsx"),
	};
}

const LARGEST_FILE = 64 * 1_024 * 1_024;

// With more hosts than this they are not registries but downloads from anywhere.
const MOST_HOSTS = 8;

// Of npm and yarn, pnpm, uv; and requirements, where packages come from.
const DOWNLOAD =
	/(?:\bresolved"?:? "|\btarball: |\b(?:registry|url) = "|^--(?:extra-)?index-url[ =])https?:\/\/(?:[^/@"\s]*@)?([^/:"\s]+)/gm;

const NPM_REGISTRY = /^(?:@[^:=\s]+:)?registry\s*=\s*"?https?:\/\/(?:[^/@"\s]*@)?([^/:"\s]+)/gim;

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

async function starterHosts(
	root: string,
	project: ProjectKind,
	home: string | undefined,
): Promise<readonly string[]> {
	if (project.setup.length === 0) return [];
	const isNode = project.dependencies.some((folder) => path.basename(folder) === "node_modules");
	const settings = isNode ? [root, ...(home ? [home] : [])] : [];
	const found = await Promise.all([
		...project.foundBy.map((file) => hostsIn(path.join(root, file), DOWNLOAD)),
		...settings.map((folder) => hostsIn(path.join(folder, ".npmrc"), NPM_REGISTRY)),
	]);
	const reachable = reachableHosts({ agents: {}, setup: project.setup }, {});
	return [...new Set(found.flat())]
		.filter((host) => HOST.test(host) && !reachable.includes(host))
		.sort()
		.slice(0, MOST_HOSTS);
}
