import { join } from "node:path";
import type { HarnessSeat } from "../harness/harness.ts";

/** The file in which opencode keeps the user's sign-ins; undefined with `login: key`, or when nobody knows where. */
export function storedSignIn({ login, store, userHome }: HarnessSeat): string | undefined {
	if (login === "key") return undefined;
	const shared =
		store["XDG_DATA_HOME"] ?? (userHome === undefined ? undefined : join(userHome, ".local/share"));
	return shared === undefined ? undefined : join(shared, "opencode", "auth.json");
}
