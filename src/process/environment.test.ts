import {
	chmodSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { childEnvironment, userEnvironment } from "./environment.ts";

const nodeIn =
	(...folders: string[]) =>
	(folder: string): boolean =>
		folders.includes(folder);

test("only what is on the list reaches a child", () => {
	const source = {
		HOME: "/home/me",
		LC_ALL: "C",
		XDG_STATE_HOME: "/s",
		https_proxy: "http://p",
		NODE_OPTIONS: "--inspect",
		GIT_DIR: "/x",
		npm_config_registry: "x",
		MY_TOKEN: "t",
		XDG_SESSION_ID: "3",
		TZ: undefined,
	};
	expect(childEnvironment(source)).toEqual({
		HOME: "/home/me",
		LC_ALL: "C",
		XDG_STATE_HOME: "/s",
		https_proxy: "http://p",
	});
});

test("a named variable is passed on, and left out when it is not set", () => {
	expect(childEnvironment({ MY_TOKEN: "t" }, ["MY_TOKEN", "OTHER"])).toEqual({ MY_TOKEN: "t" });
});

test("folders of node_modules/.bin leave PATH", () => {
	const source = { PATH: "/a/node_modules/.bin:/usr/bin:/b/node_modules/.bin/:/bin" };
	expect(childEnvironment(source, [], nodeIn("/usr/bin"))).toEqual({ PATH: "/usr/bin:/bin" });
});

test.each(["/tmp/yarn--1795382397214-0.4854", "/tmp/xfs-fb495d2d", "/tmp/bun-node-0d9f8c1"])(
	"%s, in which yarn or bun puts its own node first, leaves PATH",
	(folder) => {
		const source = { PATH: `${folder}:/project/bin:/srv/yarn--old:/usr/bin` };
		expect(childEnvironment(source, [], nodeIn(folder, "/project/bin"))).toEqual({
			PATH: "/project/bin:/srv/yarn--old:/usr/bin",
		});
		expect(childEnvironment(source, [], nodeIn(folder))).toEqual(source);
	},
);

test("a folder of node_modules/.bin that alone provides node stays", () => {
	const source = { PATH: "/a/node_modules/.bin:/usr/bin:/b/node_modules/.bin" };
	expect(childEnvironment(source, [], nodeIn("/b/node_modules/.bin"))).toEqual({
		PATH: "/usr/bin:/b/node_modules/.bin",
	});
});

test("relative and empty folders leave PATH: they would be looked up in a checkout", () => {
	const source = { PATH: ".::bin:/usr/bin:" };
	expect(childEnvironment(source, [], nodeIn("/usr/bin"))).toEqual({ PATH: "/usr/bin" });
});

test("node counts only where it is an executable file", () => {
	const root = mkdtempSync(join(tmpdir(), "spar-path-"));
	try {
		const bin = join(root, "node_modules", ".bin");
		mkdirSync(bin, { recursive: true });
		writeFileSync(join(bin, "node"), "");
		expect(childEnvironment({ PATH: bin })).toEqual({ PATH: "" });
		chmodSync(join(bin, "node"), 0o755);
		expect(childEnvironment({ PATH: bin })).toEqual({ PATH: bin });
	} finally {
		rmSync(root, { recursive: true });
	}
});

/** The arguments of each call that starts a program, up to the end of its statement. */
function starts(source: string): string[] {
	return [...source.matchAll(/(?<![.\w])(?:spawn|spawnSync|execFile|execFileSync|fork)\)?\(/g)]
		.filter(({ index }) => !/import|function/.test(source.slice(index - 12, index)))
		.map(({ index }) => source.slice(index, source.indexOf(";\n", index)));
}

test("whatever starts a program says what its environment is: none inherits ours", () => {
	const src = join(import.meta.dirname, "..");
	const files = globSync("**/*.ts", { cwd: src }).filter(
		(file) => !/\.(test|contract|fixture)\.ts$/.test(file),
	);
	const calls = files.flatMap((file) =>
		starts(readFileSync(join(src, file), "utf8")).map((call) => `${file}: ${call}`),
	);
	expect(calls.length).toBeGreaterThan(4);
	expect(calls.filter((call) => !/\benv\b/.test(call))).toEqual([]);
	expect(starts('spawn("a", []);\n').filter((call) => !/\benv\b/.test(call))).toHaveLength(1);
});

test("the user's environment is all of it, but for what tells how Sparring was called", () => {
	const own = { HOME: "/home/me", DATABASE_ADDRESS: "postgres://db", NODE_OPTIONS: "--trace-gc" };
	const ofTheCall = {
		GIT_DIR: ".git",
		GIT_INDEX_FILE: ".git/index",
		npm_lifecycle_event: "test",
		INIT_CWD: "/p",
		PWD: "/p",
		SPAR_STORE: "postgres://store",
		TMPDIR: "/t",
		TZ: undefined,
	};
	const PATH = "/a/node_modules/.bin:/usr/bin";
	expect(userEnvironment({ ...own, ...ofTheCall, PATH }, nodeIn("/usr/bin"))).toEqual({
		...own,
		PATH: "/usr/bin",
	});
});
