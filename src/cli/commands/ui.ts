import type { CliCommand } from "../command.ts";
import { showDashboard, whileShown } from "../dashboard.ts";
import { EXIT } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { wholeNumberTo } from "../whole-number.ts";

interface UiFlags {
	readonly port?: number;
	readonly open: boolean;
	readonly json?: boolean;
}

const MOST_PORTS = 65_535;

/** `spar ui`: serves the dashboard until Ctrl-C, which is how it ends: nothing that was begun from the page ends with it. */
async function ui(shell: Shell, { port, open, json }: UiFlags): Promise<number> {
	const dashboard = await shell.openDashboard({ port: port ?? 0 });
	return await whileShown(shell, dashboard, async (signal) => {
		if (json === true) {
			shell.out.write(`${JSON.stringify({ url: dashboard.newUrl() })}\n`);
			if (open) shell.openBrowser(dashboard.newUrl());
		} else {
			showDashboard(shell, dashboard, { open });
			shell.err.print("Ctrl-C ends it\n");
		}
		await untilAborted(signal);
		return EXIT.done;
	});
}

async function untilAborted(signal: AbortSignal): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	signal.addEventListener("abort", () => resolve(), { once: true });
	if (!signal.aborted) await promise;
}

export const command: CliCommand = {
	examples: ["spar ui", "spar ui --port 7700 --no-open", "spar ui --no-open --json"],
	page: "monitoring",
	define: (command, shell, finish) => {
		command
			.option(
				"--port <n>",
				"listen on this port (default: any that is free)",
				wholeNumberTo(MOST_PORTS),
			)
			.option("--no-open", "open no browser")
			.option("--json", "print the address as one line of JSON")
			.action(async (flags: UiFlags) => {
				finish(await ui(shell, flags));
			});
	},
};
