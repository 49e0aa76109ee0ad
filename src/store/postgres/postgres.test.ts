import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { requirePackages } from "./postgres.ts";

/** A file beside which only these packages are installed. */
function fileBeside(...installed: readonly string[]): string {
	const folder = mkdtempSync(join(tmpdir(), "spar-packages-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const name of installed) {
		const home = join(folder, "node_modules", name);
		mkdirSync(home, { recursive: true });
		writeFileSync(join(home, "package.json"), JSON.stringify({ name, main: "index.js" }));
		writeFileSync(join(home, "index.js"), "throw new Error('it was loaded');\n");
	}
	return pathToFileURL(join(folder, "file.js")).href;
}

test("all packages that are missing are named, with one command that installs them", () => {
	expect(() => requirePackages(fileBeside())).toThrow(
		expect.objectContaining({
			code: "program-missing",
			message: `a store on Postgres needs the npm packages pg and pg-boss`,
			hint: `Run \`npm install pg pg-boss\` where Sparring is installed.`,
		}),
	);
});

test("one that is missing is a package, and none is loaded to find out", () => {
	const from = fileBeside("pg");
	expect(() => requirePackages(from)).toThrow("needs the npm package pg-boss");
	requirePackages(fileBeside("pg", "pg-boss"));
});
