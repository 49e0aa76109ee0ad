import type { Served } from "../../web/serve.ts";
import { EXIT } from "./exit-code.ts";
import type { Outlet, Shell } from "./shell.ts";

// The browser gets a code of its own, so that what is printed works too.
export function showDashboard(
	{ err, openBrowser }: Pick<Shell, "err" | "openBrowser">,
	dashboard: Pick<Served, "newUrl">,
	{ out, open }: { readonly out: Outlet; readonly open: boolean },
): void {
	out.print(`${dashboard.newUrl()}\n`);
	err.print("The address works once, within 60 seconds.\n");
	if (open) openBrowser(dashboard.newUrl());
}

export async function untilCtrlC(shell: Pick<Shell, "onInterrupt">): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const stopListening = shell.onInterrupt(() => resolve());
	await promise;
	stopListening();
}

// The page stays when the run is over, for its answers, until Ctrl-C; one that ends the run ends the page with it.
export async function besideDashboard(shell: Shell, work: () => Promise<number>): Promise<number> {
	const dashboard = await shell.openDashboard({ port: 0 });
	try {
		showDashboard(shell, dashboard, { out: shell.err, open: true });
		const code = await work();
		if (code !== EXIT.interrupted) {
			shell.err.print("The dashboard stays until you press Ctrl-C.\n");
			await untilCtrlC(shell);
		}
		return code;
	} finally {
		await dashboard.close();
	}
}
