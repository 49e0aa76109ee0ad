import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { privateParent } from "../../src/process/temporary.ts";
import { type Stage, stage } from "./stage.ts";

/** A repository in which Sparring, its sandbox and Node.js are installed: this one. */
const root = realpathSync(fileURLToPath(new URL("../../", import.meta.url)));
const package_ = join(root, "package.json");

let s: Stage;

beforeAll(async () => {
	s = await stage({ closed: [root] });
});

afterAll(() => s.close());

test("a sandbox that is installed in a closed repository opens, and its calls see nothing of the repository", async () => {
	const result = await s.sh(`cat ${package_}; ls -A ${root}; echo x > ${root}/planted`);
	expect(result.stdout).not.toContain("sparring");
	expect(result.stderr).toMatch(/Read-only file system/);
});

test("a program in a closed repository starts with its package, which no call can change", async () => {
	const node = join(root, "node_modules/node/bin/node");
	const script = `require("fs").writeFileSync(${JSON.stringify(join(root, "node_modules/planted"))}, "")`;
	const result = await s.run([node, "-e", `console.log("runs"); ${script}`]);
	expect(result.stdout).toBe("runs\n");
	expect(result.stderr).toMatch(/EROFS/);
	expect(
		(await s.run([node, "-p", `require("fs").existsSync(${JSON.stringify(package_)})`])).stdout,
	).toBe("false\n");
});

test("a file that the user's command names is readable, the one beside it is not", async () => {
	const named = { named: [`node ${package_} --fast`] };
	expect((await s.sh(`cat ${package_}`, named)).stdout).toContain('"sparring"');
	expect((await s.sh(`cat ${join(root, "README.md")}`, named)).stdout).toBe("");
});

test("a call sees no script and temporary directory of another one, of this sandbox or of the next", async () => {
	const bare = { env: { PATH: process.env["PATH"] ?? "" }, writable: [] };
	const beside = await stage({ closed: [root] });
	const others = [s, beside].map((each) => each.sh("sleep 2", bare));
	const listing = `ls -A ${await privateParent()}; ls -A ${await privateParent()}/box-*/call-files`;
	const { stdout } = await s.sh(listing, bare);
	expect(stdout.match(/^call-\w{6}$/gm)).toHaveLength(1);
	expect(stdout.match(/^box-\S+$/gm)).toHaveLength(2);
	await Promise.all(others);
	await beside.close();
});
