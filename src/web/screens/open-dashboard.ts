import { openSparring } from "../../library/open-sparring.ts";
import { placesOf } from "../../places/places.ts";
import type { Served } from "../serve.ts";
import { Ground } from "./ground.ts";
import type { ScreensOptions } from "./ground-screens.ts";

export interface DashboardOptions extends ScreensOptions {
	/** Any directory inside the repository. */
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** 0: any that is free. */
	readonly port: number;
	/** Absolute directory of the built page. */
	readonly pageDirectory: string;
	/** Told of a bug that a request met; the server goes on. */
	readonly onBug: (error: unknown) => void;
}

/** A dashboard that is served; `close` ends the server, and nothing that was begun from it. */
export type Dashboard = Served;

/**
 * Serves the dashboard of a repository on this machine. Server and page are loaded here, so that no other command pays for
 * them.
 *
 * @throws Fault `not-a-repository`, `usage` for a port that cannot be used, `program-missing` where the page was not built
 */
export async function openDashboard(options: DashboardOptions): Promise<Dashboard> {
	const { directory, env, port, pageDirectory, onBug } = options;
	const sparring = await openSparring({ directory, env });
	const ground = new Ground(sparring, placesOf(sparring.root, env), env);
	try {
		const { serve } = await import("../serve.ts");
		const { groundScreens } = await import("./ground-screens.ts");
		const served = await serve(groundScreens(ground, options), { port, pageDirectory, onBug });
		return {
			...served,
			close: async () => {
				await served.close();
				await ground.close();
			},
		};
	} catch (error) {
		await ground.close();
		throw error;
	}
}
