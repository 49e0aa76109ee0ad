import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Repository } from "../git/repository.ts";
import { storesBelow } from "../git/submodules.ts";
import { attempt } from "../kernel/attempt.ts";
import { Fault } from "../kernel/fault.ts";
import { ID, isInside, type Places, realPathOf } from "../places/places.ts";
import { childEnvironment } from "../process/environment.ts";
import { namedSockets } from "../process/hidden-places.ts";
import type { ProcessHost } from "../process/process.ts";
import { bareHost } from "../process/run-process.ts";
import { temporaryParents } from "../process/temporary.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { agentHomes } from "./harnesses.ts";
import { reachableHosts } from "./reachable-hosts.ts";

type ConfinedRepository = Pick<Repository, "root" | "commonDir" | "objectsDir">;
type StatePlaces = Pick<Places, "stateDir" | "checkoutsParent" | "host">;

/**
 * Places that confined processes may not write, those that they may not even see, and those that they see all the same: the
 * objects that checkouts borrow.
 *
 * A folder that holds the home directory stays open, since programs have their files there; what Sparring has in it is
 * closed.
 */
export function confinedPlaces(
	{ root, commonDir, objectsDir }: ConfinedRepository,
	{ stateDir, checkoutsParent, host }: StatePlaces,
): { readonly never: string[]; readonly closed: string[]; readonly shared: string[] } {
	const never = [root, commonDir, stateDir];
	const places = [
		...never,
		...workTrees(commonDir),
		checkoutsParent,
		...temporaryParents(),
		...namesIn(checkoutsParent)
			.filter((name) => ID.test(name))
			.map((name) => join(checkoutsParent, name)),
	];
	return {
		never,
		closed: places.filter((place) => !holdsHome(place, host.home)),
		shared: [
			...new Set([objectsDir, join(commonDir, "objects")]),
			join(commonDir, "lfs/objects"),
			...storesBelow(join(commonDir, "modules")),
		],
	};
}

function workTrees(commonDir: string): string[] {
	const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
	const linked = namesIn(join(commonDir, "worktrees")).flatMap((name) => {
		const file = join(commonDir, "worktrees", name, "gitdir");
		return attempt(() => dirname(readFileSync(file, "utf8").trim()), []);
	});
	return [...main, ...linked];
}

function holdsHome(place: string, home: string): boolean {
	return isInside(realPathOf(place), realPathOf(home === "" ? homedir() : home));
}

const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder), []);

export interface HostRequest {
	readonly workflow: Pick<Workflow, "agents" | "setup" | "sandbox">;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly repository: ConfinedRepository;
	readonly places: StatePlaces;
	readonly onNotice?: ((text: string) => void) | undefined;
}

/**
 * Does some work with the host of processes that a workflow asks for, and closes it afterwards.
 *
 * `sandbox: auto` works without a sandbox where there is none, and says so; `required` does not.
 *
 * @throws Fault `sandbox-missing`, before the work begins
 */
export async function withHost<T>(
	request: HostRequest,
	work: (host: ProcessHost) => Promise<T>,
): Promise<T> {
	const opened = await openHost(request);
	try {
		return await work(opened.host);
	} finally {
		await opened.close();
	}
}

/**
 * The host for work that may need no process at all: the sandbox is opened when the first one is started, and that is
 * when `required` fails. Whoever opens it closes it.
 */
export function openLazyHost(request: HostRequest): OpenedHost {
	let opened: Promise<OpenedHost> | undefined;
	const inner = async (): Promise<ProcessHost> => {
		opened ??= openHost(request);
		return (await opened).host;
	};
	const host: ProcessHost = {
		confines: (request.workflow.sandbox?.mode ?? "off") !== "off",
		run: async (process, signal) => (await inner()).run(process, signal),
		open: async (process, signal) => (await inner()).open(process, signal),
	};
	const close = async (): Promise<void> => {
		// A sandbox that could not be opened has reported that to the caller.
		await opened?.then(
			(each) => each.close(),
			() => undefined,
		);
	};
	return { host, close };
}

interface OpenedHost {
	readonly host: ProcessHost;
	close(): Promise<void>;
}

const BARE: OpenedHost = { host: bareHost, close: () => Promise.resolve() };

async function openHost(request: HostRequest): Promise<OpenedHost> {
	const { workflow, env, repository, places, onNotice } = request;
	const mode = workflow.sandbox?.mode ?? "off";
	if (mode === "off") return BARE;
	const { openSandbox } = await import("../process/sandbox/open-sandbox.ts");
	const allowHosts = reachableHosts(workflow, env);
	const unixSockets = workflow.sandbox?.unixSockets === true;
	const opened = await openSandbox({
		env: childEnvironment(env),
		allowHosts,
		...confinedPlaces(repository, places),
		unixSockets,
		hidden: [
			...agentHomes(env),
			// What children do not get, such as `SSH_AUTH_SOCK`, can still be found.
			...(unixSockets ? namedSockets(env) : []),
		],
	});
	if (!opened.available) {
		if (mode === "required") throw missing(opened);
		const told = `no sandbox here (${opened.reason}): agents and checks run with your own rights. ${opened.fix}`;
		if (isNews(told, places.checkoutsParent)) onNotice?.(told);
		return BARE;
	}
	return opened;
}

/** Remembers what this machine was told, so that it is told once; a machine that cannot remember is told again. */
function isNews(text: string, stateHome: string): boolean {
	const file = join(stateHome, ".sandbox-told");
	if (attempt(() => readFileSync(file, "utf8"), "") === text) return false;
	attempt(() => {
		mkdirSync(stateHome, { recursive: true });
		writeFileSync(file, text);
	}, undefined);
	return true;
}

function missing({ reason, fix }: { readonly reason: string; readonly fix: string }): Fault {
	return new Fault(`the workflow requires a sandbox, and there is none here: ${reason}`, {
		code: "sandbox-missing",
		hint: fix,
	});
}

/**
 * Looks whether a workflow that requires a sandbox can have it, before anything is created.
 *
 * @throws Fault `sandbox-missing`
 */
export async function requireSandbox(
	workflow: HostRequest["workflow"],
	env: HostRequest["env"],
): Promise<void> {
	if (workflow.sandbox?.mode !== "required") return;
	const { probeSandbox } = await import("../process/sandbox/open-sandbox.ts");
	const probed = await probeSandbox(env, workflow.sandbox.unixSockets);
	if (!probed.available) throw missing(probed);
}
