import { expect, test } from "vitest";
import { scene } from "../git/scratch.fixture.ts";
import { setupKeyAt } from "./setup-keys.ts";

test("a setup runs again where other files were copied", async () => {
	const { vault, base } = await scene({ "package.json": "{}\n" });
	const keyWith = (digest: string | null, setup = ["npm ci"]): Promise<string> => {
		const copied = digest === null ? null : { dir: "/run/copied", files: [], digest };
		// Only what a key is made of.
		const workflow = { setup, setupInputs: [] } as unknown as Parameters<
			typeof setupKeyAt
		>[0]["workflow"];
		return setupKeyAt({ workflow, vault: { ...vault, copied } }, base);
	};
	const [none, one, again, other] = await Promise.all(
		["", "a", "a", "b"].map((digest) => keyWith(digest || null)),
	);
	expect(one).toBe(again);
	expect(new Set([none, one, other]).size).toBe(3);
	expect(await keyWith("a", [])).toBe("none");
});
