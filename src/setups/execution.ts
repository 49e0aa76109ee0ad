import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { asStateFault } from "../kernel/state-fault.ts";
import { lendSettings, withOwnHome } from "../process/own-home.ts";
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
}): Promise<Execution> {
	const { checkout, work, env, home } = request;
	return asStateFault(work, async () => {
		const { path: temporary, close } = await openTemporary(work);
		const tmp = join(temporary, "t");
		mkdirSync(tmp, { mode: 0o700 });
		const places = home === null ? null : { ...request, home, temporary, tmp };
		const own = places === null ? { ...env, TMPDIR: tmp } : withOwnHome(env, places);
		const takeBack = places === null ? null : lendSettings(env, places);
		return {
			env: { ...composeProject(checkout), ...own, CI: "true", [IN_CHECK]: "1" },
			writable: [checkout, temporary, ...(home === null ? [] : [home])],
			temporary,
			close: async () => {
				takeBack?.();
				await close();
			},
		};
	});
}

/** The variable by which Docker Compose tells projects apart, whatever its file says: checkouts share no container. */
export function composeProject(checkout: string): Readonly<Record<string, string>> {
	return { COMPOSE_PROJECT_NAME: basename(checkout) };
}
