import { execFileSync } from "node:child_process";
import {
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, stage } from "./stage.ts";

let s: Stage;

beforeAll(async () => {
	s = await stage();
});

afterAll(() => s.close());

const REFUSED = /Read-only file system/;

describe("a confined process", () => {
	test("writes in its checkout and its temporary directory", async () => {
		const result = await s.sh('echo new > made.txt && echo t > "$TMPDIR/t" && echo more >> a.txt');
		expect(result).toMatchObject({ exitCode: 0, stderr: "" });
		expect(readFileSync(join(s.checkout, "made.txt"), "utf8")).toBe("new\n");
		expect(readFileSync(join(s.tmp, "t"), "utf8")).toBe("t\n");
	});

	test("writes nowhere else: repository, its .git, the database, another checkout, home, /tmp", async () => {
		const places = [
			join(s.repository, "a.txt"),
			join(s.repository, ".git", "config"),
			join(s.repository, ".git", "refs", "heads", "planted"),
			s.database,
			join(s.other, "a.txt"),
			join(s.home, "planted"),
			join(tmpdir(), "spar-planted"),
			"/etc/spar-planted",
		];
		for (const place of places) {
			const result = await s.sh('echo x >> "$0"', {
				command: ["sh", "-c", 'echo x >> "$0"', place],
			});
			expect(result.exitCode, place).not.toBe(0);
			expect(result.stderr, place).toMatch(REFUSED);
		}
		expect(readFileSync(s.database, "utf8")).toBe("rows");
		expect(readFileSync(join(s.other, "a.txt"), "utf8")).toBe("a\n");
	});

	test("removes and renames nothing elsewhere, its own checkout included", async () => {
		const result = await s.sh(
			`rm -rf ${s.other} ${s.repository}; mv ${s.checkout} ${s.root}/gone; rm -rf ${s.root}/home`,
		);
		expect(result.exitCode).not.toBe(0);
		for (const place of [join(s.other, ".git"), s.database, s.checkout, s.home]) {
			expect(existsSync(place), place).toBe(true);
		}
	});

	test("gets out by no symbolic link, neither an old one nor one that it made", async () => {
		symlinkSync(s.repository, join(s.checkout, "old-link"));
		const result = await s.sh(
			`echo x > old-link/a.txt; ln -s ${s.other} new-link && echo x > new-link/a.txt`,
		);
		expect(result.stderr.match(/Read-only file system/g)).toHaveLength(2);
		expect(readFileSync(join(s.repository, "a.txt"), "utf8")).toBe("a\n");
		expect(readFileSync(join(s.other, "a.txt"), "utf8")).toBe("a\n");
	});

	test("makes no hard link to a file elsewhere", async () => {
		const result = await s.sh(`ln ${s.database} stolen.db; ln a.txt mine.txt`);
		expect(result.stderr).toMatch(/stolen\.db.*(Invalid cross-device link|not permitted)/);
		expect(existsSync(join(s.checkout, "stolen.db"))).toBe(false);
		expect(existsSync(join(s.checkout, "mine.txt"))).toBe(true);
	});

	test("undoes its confinement by no mount and no namespace of its own", async () => {
		const result = await s.sh(
			`mount -o remount,rw / 2>&1; umount ${s.checkout} 2>&1; unshare -Urm true 2>&1; echo x >> ${s.database}`,
		);
		expect(result.stderr).toMatch(REFUSED);
		expect(readFileSync(s.database, "utf8")).toBe("rows");
	});
});

describe("what is writable", () => {
	test("is the working directory when the request says nothing", async () => {
		const { writable: _, ...request } = s.request([
			"sh",
			"-c",
			`echo x > by-default; echo x > ${s.tmp}/no`,
		]);
		const result = await s.sandbox.host.run(request, new AbortController().signal);
		expect(result.stderr).toMatch(REFUSED);
		expect(existsSync(join(s.checkout, "by-default"))).toBe(true);
		expect(existsSync(join(s.tmp, "no"))).toBe(false);
	});

	test("can be a single file, and nothing", async () => {
		const file = join(s.root, "report.json");
		writeFileSync(file, "");
		const one = await s.sh(`echo '{}' > ${file}; echo x > here`, { writable: [file] });
		expect(one.stderr).toMatch(REFUSED);
		expect(readFileSync(file, "utf8")).toBe("{}\n");
		const none = await s.sh("echo x > nothing-is-writable", { writable: [] });
		expect(none.stderr).toMatch(REFUSED);
	});

	test("is never the repository, whether a request names it, what holds it, or what lies in it", async () => {
		const inside = join(s.repository, ".sparring");
		for (const writable of [[s.repository], [s.root], [inside], [s.database]]) {
			const result = await s.sh(`echo x >> ${s.database}`, { writable });
			expect(result.stderr, writable[0]).toMatch(REFUSED);
		}
		const above = await s.sh(`echo x > ${s.root}/beside`, { writable: [s.root] });
		expect(above.exitCode).toBe(0);
	});

	test("is found through a link and in spite of odd names", async () => {
		const odd = join(s.root, "odd *[a]? 'name' \"$x\" ü");
		mkdirSync(odd);
		const link = join(s.root, "link-to-odd");
		symlinkSync(odd, link);
		for (const cwd of [odd, link]) {
			const result = await s.run(["sh", "-c", "echo x > f && rm f"], { cwd, writable: [cwd] });
			expect(result, cwd).toMatchObject({ exitCode: 0, stderr: "" });
		}
	});
});

describe("work in the checkout", () => {
	test("is not hindered: git, hooks, settings of editors and agents", async () => {
		const result = await s.sh(
			[
				"mkdir -p .vscode .idea .claude/commands .git/hooks",
				"for f in .vscode/settings.json .idea/x .claude/commands/x.md .mcp.json .gitmodules \\",
				"  .gitconfig .bashrc .git/hooks/pre-commit; do echo x > $f || exit 1; done",
				"rm .git/hooks/pre-commit && git config user.name n && git config user.email e@e.invalid",
				"git checkout --quiet -b topic && git add -A && git commit --quiet -m second && git gc --quiet",
			].join("\n"),
		);
		expect(result).toMatchObject({ exitCode: 0, stderr: "" });
	});

	test("is not littered: what a call did not make is not there afterwards", async () => {
		const state = (): string =>
			execFileSync("git", ["status", "--porcelain=v1", "-uall", "--ignored"], {
				cwd: s.other,
				encoding: "utf8",
			});
		const before = [state(), readdirSync(s.other, { recursive: true })];
		const result = await s.sh("git status --porcelain -uall", {
			cwd: s.other,
			writable: [s.other],
		});
		expect(result).toMatchObject({ exitCode: 0, stdout: "" });
		expect([state(), readdirSync(s.other, { recursive: true })]).toEqual(before);
	});

	test("has a temporary directory even when the request names none that can be written", async () => {
		const result = await s.sh('echo x > "$TMPDIR/t" && printf %s "$TMPDIR"', {
			env: { PATH: process.env["PATH"] ?? "" },
			writable: [],
		});
		expect(result.exitCode).toBe(0);
		expect(result.stdout).not.toBe(s.tmp);
		expect(existsSync(result.stdout)).toBe(false);
	});

	test("keeps caches below the temporary directory, where tools can write them", async () => {
		const result = await s.sh('printf "%s %s" "$npm_config_cache" "$GOCACHE"');
		expect(result.stdout).toBe(`${s.tmp}/cache/npm ${s.tmp}/cache/go-build`);
	});
});

describe("credentials", () => {
	test("in the home directory cannot be read, files and folders", async () => {
		mkdirSync(join(s.home, ".ssh"));
		writeFileSync(join(s.home, ".ssh", "id"), "secret-1");
		writeFileSync(join(s.home, ".netrc"), "secret-2");
		const result = await s.sh(`cat ${s.home}/.ssh/id; cat ${s.home}/.netrc; ls -A ${s.home}/.ssh`);
		expect(result.output).not.toContain("secret");
	});

	test("of an agent are there for the call that may write them", async () => {
		const store = join(s.home, ".pi");
		mkdirSync(store);
		writeFileSync(join(store, "auth.json"), "signed in");
		const read = { command: ["cat", join(store, "auth.json")] as const };
		expect((await s.run(read.command)).stdout).toBe("");
		const own = await s.run(read.command, { writable: [s.checkout, store] });
		expect(own.stdout).toBe("signed in");
	});
});

test("a hard link that was there before leads to the same file: checkouts must not hold any", async () => {
	linkSync(join(s.other, "a.txt"), join(s.checkout, "linked-before"));
	const result = await s.sh("echo x >> linked-before");
	// Not a promise that is kept, but the reason why checkouts borrow objects and link none.
	expect(result.exitCode).toBe(0);
});
