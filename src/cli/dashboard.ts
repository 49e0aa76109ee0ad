import type { Dashboard } from "../app/dashboard/open-dashboard.ts";
import type { Shell } from "./shell.ts";

/** Prints where the dashboard is, and opens it where that is wanted. */
export function showDashboard(
	{ out, err, openBrowser }: Pick<Shell, "out" | "err" | "openBrowser">,
	dashboard: Dashboard,
	{ open }: { readonly open: boolean },
): void {
	out.print(`${dashboard.newUrl()}\n`);
	err.print("this address works once, for 60 seconds\n");
	if (open) openBrowser(dashboard.newUrl());
}

/** Does something while a dashboard is served, and ends it then. The signal aborts with Ctrl-C. */
export async function whileShown<T>(
	shell: Shell,
	dashboard: Dashboard,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const interrupted = new AbortController();
	const stopListening = shell.onInterrupt(() => interrupted.abort());
	try {
		return await work(interrupted.signal);
	} finally {
		stopListening();
		await dashboard.close();
	}
}
