import { commandOf } from "../terminal/command.ts";
import { showDashboard, untilCtrlC } from "../terminal/dashboard.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { wholeNumberTo } from "../terminal/option-values.ts";

const HIGHEST_PORT = 65_535;

// Nothing that was begun from the page ends with it.
export const command = commandOf<{
	readonly port?: number;
	// False with `--no-open`.
	readonly open?: boolean;
}>(
	{
		examples: ["spar ui", "spar ui --port 7700 --no-open", "spar ui --no-open --json"],
		page: "dashboard",
		options: {
			"--port <n>": [
				"listen on this port (default: any that is free)",
				wholeNumberTo(HIGHEST_PORT),
			],
			"--no-open": "open no browser",
			"--json": "print the address as one line of JSON",
		},
	},
	async (shell, { port = 0, open = true, json }) => {
		const dashboard = await shell.openDashboard({ port });
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
	},
);
