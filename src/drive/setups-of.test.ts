import { expect, test } from "vitest";
import { toolOf } from "./setups-of.ts";

test("programs that are asked at once answer each, whichever ends first", async () => {
	const { signal } = new AbortController();
	const tool = toolOf({ run: { runId: "tools-at-once" }, env: process.env, signal });
	const slow = tool(["sh", "-c", "sleep 0.3; echo slow"]);
	expect(await tool(["echo", "quick"])).toMatchObject({ exitCode: 0, stdout: "quick\n" });
	expect(await slow).toMatchObject({ exitCode: 0, stdout: "slow\n" });
});
