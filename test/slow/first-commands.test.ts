import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { tidyLater } from "../support/tidy.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/first-commands.ts");

/** A checkout with these npm scripts, in which `node install.mjs` brings a `node` that says where it comes from. */
function firstCommands(scripts: Readonly<Record<string, string>>, readme: string) {
	const files = {
		"README.md": readme,
		"package.json": JSON.stringify({ private: true, scripts }),
		"install.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
			mkdirSync("node_modules/.bin", { recursive: true });
			writeFileSync("node_modules/.bin/node", "#!/bin/sh\\necho the node of this project\\n", { mode: 0o755 });`,
		"host.mjs": "process.exit(7);",
	};
	const checkout = repository({ files });
	tidyLater(() => checkout.remove());
	const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, checkout.root], {
		encoding: "utf8",
	});
	return { status, stdout, stderr };
}

const INSTALLS_SPAR =
	"mkdir -p ~/.local/bin && printf '#!/bin/sh\\necho 1.2.3\\n' > ~/.local/bin/spar && chmod +x ~/.local/bin/spar";

test("each script that the README names is tried in a clone of its own, and spar is installed, started and taken away", () => {
	const { status, stdout, stderr } = firstCommands(
		{
			demo: "mkdir fresh",
			again: "mkdir fresh",
			test: "exit 1",
			"install-spar": INSTALLS_SPAR,
			"uninstall-spar": "rm -f ~/.local/bin/spar",
		},
		"`npm run demo`, `npm run -s again`, `npm test`;\n    npm run install-spar # npm run uninstall-spar",
	);
	expect([status, stderr]).toEqual([0, expect.not.stringContaining("failed")]);
	expect(stdout.match(/^\$ .*/gm)).toEqual([
		"$ npm run demo",
		"$ npm run again",
		"$ npm run install-spar",
		'$ test "$(command -v spar)" = ~/.local/bin/spar',
		"$ spar --version",
		"$ npm run uninstall-spar",
		"$ test ! -e ~/.local/bin/spar",
		"$ npm run uninstall-spar",
	]);
	expect(stdout).toContain("\n1.2.3\n");
});

test.each([
	["a script that fails", { demo: "exit 3" }, '"npm run demo" failed with exit code 3'],
	["a script that package.json lacks", { other: "true" }, '"npm run demo" failed with exit code 1'],
	[
		"a shell that remembers the node from before the installation",
		{ demo: "node install.mjs && node host.mjs" },
		'"npm run demo" failed with exit code 7',
	],
])("%s is named", (_, scripts, message) => {
	const { status, stderr } = firstCommands(scripts, "Try `npm run demo`.");
	expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
});

test("an installation that leaves no spar on the PATH, or does not take it away, is named", () => {
	const readme = "npm run install-spar";
	const without = firstCommands({ "install-spar": "true" }, readme);
	expect([without.status, without.stderr]).toEqual([1, expect.stringContaining("command -v spar")]);
	const stays = { "install-spar": INSTALLS_SPAR, "uninstall-spar": "true" };
	const { status, stderr } = firstCommands(stays, readme);
	expect([status, stderr]).toEqual([1, expect.stringContaining("test ! -e")]);
});
