import { expect, test } from "vitest";
import { notStarted } from "../../process/ended-result.ts";
import type { Tool } from "./copy-files.ts";
import { platformOf } from "./platform.ts";

/** Programs that print these versions; others are missing. */
function programs(versions: Readonly<Record<string, string>>) {
	const asked: string[] = [];
	const tool: Tool = ([program]) => {
		asked.push(program);
		const missing = notStarted("ENOENT", 0);
		const stdout = versions[program];
		return Promise.resolve(
			stdout === undefined ? missing : { ...missing, started: true, exitCode: 0, stdout },
		);
	};
	return { asked, tool };
}

test("Node and known programs that the commands name are asked, and no others", async () => {
	const { asked, tool } = programs({ node: "v24.1.0\n", pnpm: "9.0.0\n" });
	const { versions } = await platformOf(
		["corepack enable && pnpm install", "./setup.sh; pip install x"],
		{},
		tool,
	);
	expect(asked.sort()).toEqual(["node", "pip", "pnpm"]);
	expect(versions).toEqual({ node: "v24.1.0", pnpm: "9.0.0", pip: "" });
});

test("variables that change what is installed count, those of the terminal and the proxy do not", async () => {
	const { tool } = programs({});
	const env = { PATH: "/bin", VIRTUAL_ENV: "/v", TERM: "x", LC_ALL: "C", https_proxy: "http://p" };
	expect((await platformOf([], env, tool)).env).toEqual({ PATH: "/bin", VIRTUAL_ENV: "/v" });
});
