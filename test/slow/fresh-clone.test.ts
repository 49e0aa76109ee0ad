import { execFileSync, spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OLD_NODE } from "../support/old-node.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** The commands of README's blocks for a shell, without their comments. */
const commands = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
	block.split("\n").flatMap((line) => line.split("#")[0]?.trim() || []),
);

let clone = "";
let home = "";

/** What git knows of this checkout, as it is now; its packages are there, so that nothing is downloaded. */
beforeAll(() => {
	clone = mkdtempSync(join(tmpdir(), "spar clone "));
	home = join(clone, "home");
	mkdirSync(join(home, "tmp"), { recursive: true });
	const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
	for (const file of listed.split("\0")) {
		if (file === "" || !existsSync(join(ROOT, file))) continue;
		mkdirSync(dirname(join(clone, file)), { recursive: true });
		cpSync(join(ROOT, file), join(clone, file));
	}
	symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** As a user starts it: with the host's Node.js, which may be an old one, and npm beside it. */
function atShell(command: string) {
	const folders = (process.env["PATH"] ?? "").split(":");
	const usual = folders.filter((folder) => !folder.includes("node_modules"));
	const path = [
		...(OLD_NODE === null ? [] : [dirname(OLD_NODE)]),
		...usual,
		join(home, ".local/bin"),
	];
	return spawnSync("sh", ["-c", command], {
		cwd: clone,
		encoding: "utf8",
		env: { HOME: home, PATH: path.join(":"), TMPDIR: join(home, "tmp"), NO_COLOR: "1" },
	});
}

test("README tries Sparring with the two commands that CI runs, and installs it with one", () => {
	expect(commands).toEqual(["npm run demo", "npm test", "npm run install-spar"]);
	const ci = readFileSync(join(ROOT, ".ci/run"), "utf8");
	expect(ci).toMatch(/^step .* npm run -s demo$/m);
	expect(ci).toMatch(/^step .* npm test -- --coverage$/m);
});

test("README's demo merges in a fresh clone on the host's Node.js", () => {
	const { status, stdout, stderr } = atShell("npm run demo");
	expect(status, stderr).toBe(0);
	expect(stdout + stderr).toMatch(/merged/);
});

test("README's installation gives a spar that starts, and its other command takes it away", () => {
	const installed = atShell("npm run install-spar");
	expect(installed.status, installed.stderr).toBe(0);
	const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
		version: string;
	};
	expect(atShell("spar --version")).toMatchObject({ status: 0, stdout: `${version}\n` });
	expect(atShell("npm run -s uninstall-spar").stdout).toBe(
		`removed ${join(home, ".local/bin/spar")}\n`,
	);
	expect(atShell("command -v spar").stdout).toBe("");
});
