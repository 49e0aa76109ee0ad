import { execFileSync, spawnSync } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placesOf } from "../../src/places/places.ts";
import { thorough } from "../support/amount.ts";
import { OLD_NODE } from "../support/old-node.ts";
import { scratch } from "./stage.ts";

const SAYS = 'console.log(process.execPath, process.env.PATH, process.argv.slice(2).join("|"));';

/** A built checkout, whose path a shell would take apart, and a home. The Node.js that installs is an old one where there is one. */
function checkout() {
	const { home } = scratch();
	const root = join(home, "it's a checkout");
	for (const folder of ["scripts", "dist/cli", "node_modules/.bin"])
		mkdirSync(join(root, folder), { recursive: true });
	copyFileSync(
		join(import.meta.dirname, "../../scripts/install-spar.mjs"),
		join(root, "scripts/install-spar.mjs"),
	);
	symlinkSync(process.execPath, join(root, "node_modules/.bin/node"));
	const main = join(root, "dist/cli/main.js");
	writeFileSync(main, SAYS);
	const bin = join(home, ".local/bin");
	const script = (args: readonly string[], path: string, env = {}) =>
		spawnSync(OLD_NODE ?? process.execPath, [join(root, "scripts/install-spar.mjs"), ...args], {
			encoding: "utf8",
			env: { HOME: home, PATH: `${path}:/usr/bin:/bin`, ...env },
		});
	return { home, root, main, bin, spar: join(bin, "spar"), script };
}

test("the installed spar starts on the checkout's Node.js and leaves the PATH alone; one command takes it away", () => {
	const { root, bin, spar, script } = checkout();
	const { status, stdout } = script([], `${bin}/`);
	expect([status, stdout]).toEqual([
		0,
		expect.stringContaining(`spar is at ${spar}, and runs from ${root}`),
	]);
	expect(stdout).not.toContain("not on your PATH");
	const PATH = "/usr/bin:/bin";
	const said = execFileSync(spar, ["run", "a b"], { env: { PATH }, encoding: "utf8" });
	expect(said).toBe(`${process.execPath} ${PATH} run|a b\n`);
	expect(script([], bin).status).toBe(0);
	expect(script(["--remove"], bin).stdout).toBe(`removed ${spar}\n`);
	expect(existsSync(spar)).toBe(false);
	expect(script(["--remove"], bin).stdout).toContain("there is no spar");
});

thorough(
	"taking it away leaves another checkout's spar and names both it and the folder that stays",
	() => {
		const { home, root, main, bin, spar, script } = checkout();
		expect(script([], bin).status).toBe(0);
		const text = readFileSync(spar, "utf8").replace("/it'", "/another'");
		writeFileSync(spar, text);
		const { status, stdout } = script(["--remove"], bin);
		expect([status, stdout]).toEqual([0, expect.stringContaining(`${spar} belongs to another`)]);
		expect(readFileSync(spar, "utf8")).toBe(text);
		for (const env of [
			{},
			{ XDG_STATE_HOME: join(home, "x") },
			{ SPAR_CHECKOUTS: join(home, "c") },
		]) {
			const { checkoutsParent } = placesOf(root, { HOME: home, ...env });
			expect(script(["--remove"], bin, env).stdout).not.toContain(checkoutsParent);
			mkdirSync(checkoutsParent, { recursive: true });
			expect(script(["--remove"], bin, env).stdout).toContain(`${checkoutsParent} stays`);
			expect(existsSync(checkoutsParent)).toBe(true);
		}
		expect(existsSync(main)).toBe(true);
	},
);

thorough("a folder that is not on the PATH is told with the line that puts it there", () => {
	const { bin, spar, script } = checkout();
	const { stdout } = script([], "/nowhere");
	expect(stdout).toContain(`spar is at ${spar}`);
	expect(stdout).toContain(`  export PATH="${bin}:$PATH"`);
});

thorough(
	"npm's own folder is taken where it alone is on the PATH, and found again without being there",
	() => {
		const { home, spar, script } = checkout();
		const npmBin = join(home, "npm/bin");
		mkdirSync(npmBin, { recursive: true });
		const env = { npm_config_global_prefix: join(home, "npm") };
		expect(script([], npmBin, env).stdout).toContain(`spar is at ${join(npmBin, "spar")}`);
		expect(existsSync(spar)).toBe(false);
		expect(script(["--remove"], "/nowhere", env).stdout).toBe(`removed ${join(npmBin, "spar")}\n`);
	},
);

thorough("another program of that name is neither overwritten nor removed", () => {
	const { bin, spar, script } = checkout();
	mkdirSync(bin, { recursive: true });
	writeFileSync(spar, "#!/bin/sh\necho mine\n");
	const { status, stderr } = script([], bin);
	expect([status, stderr]).toEqual([
		1,
		expect.stringContaining(`${spar} is there and is another program`),
	]);
	expect(script(["--remove"], bin).stdout).toContain("there is no spar");
	expect(readFileSync(spar, "utf8")).toBe("#!/bin/sh\necho mine\n");
});

thorough("another spar that comes first on the PATH is named", () => {
	const { home, bin, script } = checkout();
	const first = join(home, "first");
	mkdirSync(first);
	writeFileSync(join(first, "spar"), "");
	expect(script([], `${first}:${bin}`).stdout).toContain(
		`${join(first, "spar")} comes before it on your PATH`,
	);
});

thorough(
	"a checkout that is not built is told, and a spar whose checkout has gone says what to do",
	() => {
		const { root, bin, main, spar, script } = checkout();
		expect(script([], bin).status).toBe(0);
		execFileSync("rm", [main]);
		const { status, stderr } = spawnSync(spar, ["run"], { encoding: "utf8" });
		expect([status, stderr]).toEqual([2, expect.stringContaining(main)]);
		expect(stderr).toContain("Run npm run install-spar in a checkout, or remove");
		const unbuilt = script([], bin);
		expect(unbuilt.status).toBe(1);
		expect(unbuilt.stderr).toContain("not built yet: npm run install-spar");
		expect(existsSync(join(root, "dist/cli"))).toBe(true);
	},
);
