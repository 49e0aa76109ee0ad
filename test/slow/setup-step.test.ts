import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

test("after a setup that fails the step is about the setup, and each way that it names works", async () => {
	const repo = repository({
		files: {
			"package.json": JSON.stringify({
				scripts: { preinstall: "exit 7", test: "node --test" },
				dependencies: { missing: "file:../there-is-none" },
			}),
			"test/a.test.js": 'require("node:test")("one", () => {});\n',
		},
	});
	tidyLater(() => repo.remove());
	repo.write({ "b.js": "" });
	const { code, stderr } = await spar(repo, ["check"]);
	expect(code).toBe(2);
	expect(stderr).toContain("the setup failed");
	expect(stderr).toContain("spar check --setup CMD");
	expect(stderr).not.toContain("--command");
	expect((await spar(repo, ["check", "--no-setup"])).stdout).toMatch(/^pass/);
	const made = await spar(repo, ["check", "--setup", "mkdir -p node_modules/missing"]);
	expect(made.stderr).toContain("each checkout: mkdir -p node_modules/missing");
	expect(made.stdout).toMatch(/^pass/);
	expect(await spar(repo, ["check", "--setup", " "])).toMatchObject({ code: 2 });
});
