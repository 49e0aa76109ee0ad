import type { CliCommand } from "../command.ts";
import { showDashboard, untilCtrlC } from "../dashboard.ts";
import { EXIT } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { wholeNumberTo } from "../whole-number.ts";

interface UiFlags {
	readonly port?: number;
	/** False with `--no-open`. */
	readonly open?: boolean;
	readonly json?: boolean;
}

const HIGHEST_PORT = 65_535;

/** `spar ui`: serves the dashboard until Ctrl-C. Nothing that was begun from the page ends with it. */
async function ui(shell: Shell, { port, open = true, json }: UiFlags): Promise<number> {
	const dashboard = await shell.openDashboard({ port: port ?? 0 });
	try {
		if (json === true) {
			shell.out.write(`${JSON.stringify({ url: dashboard.newUrl() })}\n`);
			if (open) shell.openBrowser(dashboard.newUrl());
		} else {
			showDashboard(shell, dashboard, { out: shell.out, open });
			shell.err.print("Press Ctrl-C to end it; runs go on.\n");
		}
		await untilCtrlC(shell);
		return EXIT.done;
	} finally {
		await dashboard.close();
	}
}

export const command: CliCommand = {
	examples: ["spar ui", "spar ui --port 7700 --no-open", "spar ui --no-open --json"],
	page: "dashboard",
	define: (command, shell, finish) => {
		command
			.option(
				"--port <n>",
				"listen on this port (default: any that is free)",
				wholeNumberTo(HIGHEST_PORT),
			)
			.option("--no-open", "open no browser")
			.option("--json", "print the address as one line of JSON")
			.action(async (flags: UiFlags) => {
				finish(await ui(shell, flags));
			});
	},
};
