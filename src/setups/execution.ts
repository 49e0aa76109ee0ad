import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { type BuildCache, buildCaches, copyCache } from "../process/build-caches.ts";
import { lendSettings, type OwnPlaces, showHome, withOwnHome } from "../process/own-home.ts";
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
	/** True: its builds may serve later executions of the task: for a commit that no agent had a part in. */
	readonly warms?: boolean | undefined;
}): Promise<Execution> {
	const { checkout, work, env, home, shown, warms = false } = request;
	return asStateFault(work, async () => {
		const { path: temporary, close } = await openTemporary(work);
		const tmp = join(temporary, "t");
		mkdirSync(tmp, { mode: 0o700 });
		const caches = home === null ? [] : buildCaches(env, checkout);
		const given = { ...request, shows: shown !== undefined, caches, temporary, tmp };
		const seen = home === null ? null : await openHome(env, { ...given, home }, { work, warms });
		return {
			env: {
				...composeProject(checkout),
				...(seen?.env ?? { ...env, TMPDIR: tmp }),
				CI: "true",
				[IN_CHECK]: "1",
			},
			writable: [checkout, temporary, ...(home === null ? [] : [home])],
			temporary,
			close: async () => {
				for (const path of (await seen?.close()) ?? []) shown?.written.add(path);
				await close();
			},
		};
	});
}

interface OpenedHome extends Pick<Execution, "env"> {
	/** @returns paths below the user's home that were written, outside of a sandbox */
	readonly close: () => Promise<readonly string[]>;
}

async function openHome(
	env: Readonly<Record<string, string>>,
	places: OwnPlaces,
	{ work, warms }: { readonly work: string; readonly warms: boolean },
): Promise<OpenedHome> {
	const { home, caches, confines, installs } = places;
	const own = withOwnHome(env, places);
	const takeBack = lendSettings(env, places);
	const keep: (() => void)[] = [];
	for (const cache of installs ? [] : caches) keep.push(...(await warmed(cache, { work, home })));
	const seen = await showHome(env, places);
	return {
		env: own,
		close: async () => {
			takeBack();
			const written = confines ? [] : seen.written();
			await seen.remove();
			if (warms) for (const each of keep) each();
			return written;
		},
	};
}

/** Of a user whose home executions see. */
export interface ShownHome {
	/** Paths below it that they wrote, outside of a sandbox. */
	readonly written: Set<string>;
}

// Lays what the base has built into a home in which the setup has built nothing, and gives what keeps it.
async function warmed(
	{ variable, own }: BuildCache,
	{ work, home }: { readonly work: string; readonly home: string },
): Promise<(() => void)[]> {
	const [kept, at] = [join(work, "caches", variable), join(home, own)];
	if (existsSync(at)) return [];
	await copyCache({ folder: kept }, at);
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
