import { constants, cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { type BuildCache, buildCaches } from "../process/build-caches.ts";
import { lendSettings, showHome, withOwnHome } from "../process/own-home.ts";
import type { ProcessRequest } from "../process/process.ts";
import { openTemporary } from "./own-temporary.ts";

export interface Execution extends Required<Pick<ProcessRequest, "env" | "writable">> {
	/** Removed after it, with `TMPDIR` in it. */
	readonly temporary: string;
	readonly close: () => Promise<void>;
}

/** Variable of what checks and setups run. */
export const IN_CHECK = "SPAR_IN_CHECK";

/** The home of what runs in a checkout: beside it, and as its setup left it. */
export const homeOf = (checkout: string): string => join(dirname(checkout), "home");

/** @throws Fault `state-unwritable` or `disk-full` */
export function openExecution(request: {
	readonly checkout: string;
	readonly work: string;
	readonly env: Readonly<Record<string, string>>;
	readonly confines: boolean;
	readonly installs: boolean;
	readonly home: string | null;
	readonly shown?: ShownHome | undefined;
	/** What it builds may serve later executions of the task: for a commit that no agent had a part in. */
	readonly warms?: boolean | undefined;
}): Promise<Execution> {
	const { checkout, work, env, home, shown, warms = false } = request;
	return asStateFault(work, async () => {
		const { path: temporary, close } = await openTemporary(work);
		const tmp = join(temporary, "t");
		mkdirSync(tmp, { mode: 0o700 });
		const caches = home === null ? [] : buildCaches(env, checkout);
		const given = { ...request, shows: shown !== undefined, caches, temporary, tmp };
		const places = home === null ? null : { ...given, home };
		const own = places === null ? { ...env, TMPDIR: tmp } : withOwnHome(env, places);
		const takeBack = places === null ? null : lendSettings(env, places);
		const isWarm = home !== null && !request.installs;
		const keep = isWarm ? caches.flatMap((cache) => warmed(cache, { work, home })) : [];
		const mirrored = places === null ? null : showHome(env, places);
		return {
			env: { ...composeProject(checkout), ...own, CI: "true", [IN_CHECK]: "1" },
			writable: [checkout, temporary, ...(home === null ? [] : [home])],
			temporary,
			close: async () => {
				takeBack?.();
				for (const path of request.confines ? [] : (mirrored?.written() ?? []))
					shown?.written.add(path);
				mirrored?.remove();
				if (warms) for (const each of keep) each();
				await close();
			},
		};
	});
}

/** Of a user whose home executions see. */
export interface ShownHome {
	/** Paths below it that they wrote, outside of a sandbox. */
	readonly written: Set<string>;
}

// Lays what the base has built into a home in which the setup has built nothing, and gives what keeps it.
function warmed(
	{ variable, own }: BuildCache,
	{ work, home }: { readonly work: string; readonly home: string },
): (() => void)[] {
	const [kept, at] = [join(work, "caches", variable), join(home, own)];
	if (existsSync(at)) return [];
	const options = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };
	if (existsSync(kept)) attempt(() => cpSync(kept, at, options), undefined);
	return [
		() =>
			attempt(() => {
				rmSync(kept, { recursive: true, force: true });
				mkdirSync(dirname(kept), { recursive: true });
				renameSync(at, kept);
			}, undefined),
	];
}

/** The variable by which Docker Compose tells projects apart, whatever its file says: checkouts share no container. */
export function composeProject(checkout: string): Readonly<Record<string, string>> {
	return { COMPOSE_PROJECT_NAME: basename(checkout) };
}
