import { openSparring } from "../../library/open-sparring.ts";
import { placesOf } from "../../places/places.ts";
import type { Served, ServeOptions } from "../serve.ts";
import { ScreenGround } from "./ground.ts";
import type { ScreensOptions } from "./ground-screens.ts";

/**
 * Serves the dashboard of a repository on this machine. Server and page are loaded here, so that no other command pays for
 * them.
 *
 * @throws Fault `not-a-repository`, `usage` for a port that cannot be used, `program-missing` where the page was not built
 */
export async function openDashboard(
	options: ScreensOptions &
		ServeOptions & {
			/** Any directory inside the repository. */
			readonly directory: string;
			readonly env: Readonly<Record<string, string | undefined>>;
		},
): Promise<Served> {
	const { directory, env } = options;
	const sparring = await openSparring({ directory, env });
	const ground = new ScreenGround(sparring, placesOf(sparring.root, env), env);
	try {
		const { serve } = await import("../serve.ts");
		const { groundScreens } = await import("./ground-screens.ts");
		const served = await serve(groundScreens(ground, options), options);
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
