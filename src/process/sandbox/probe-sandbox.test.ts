import { expect, test } from "vitest";
import { probeSandbox } from "./open-sandbox.ts";

test("a machine without the programs has no sandbox, and is told what to do", async () => {
	const probe = await probeSandbox({ PATH: "/nowhere" });
	if (probe.available) throw new Error("it found some");
	expect(probe.reason).toMatch(/not installed$/);
	expect(probe.fix).toMatch(/\.$/);
});
