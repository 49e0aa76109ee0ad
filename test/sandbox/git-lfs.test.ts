import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVES, stage } from "../acceptance/stage.ts";

test("Git LFS: a run sees files, its commits hold pointers, and new content lies in the user's store", async () => {
	const set = stage({
		steps: [
			{ role: "player", run: "grep large big.bin && echo 'of the player' > new.bin" },
			APPROVES,
		],
		workflow: {
			checks: {
				tests: {
					kind: "acceptance",
					run: "cat results.tap; ! grep -q git-lfs *.bin",
					timeout: "20s",
				},
			},
		},
	});
	const { repo, spar } = set;
	const lfs = (...args: readonly string[]) =>
		execFileSync("git", ["lfs", ...args], { cwd: repo.root, env: repo.env }).toString();
	lfs("install");
	repo.git("config", "lfs.url", "http://127.0.0.1:9/nowhere");
	lfs("track", "*.bin");
	repo.write({ "big.bin": "large\n" });
	repo.commit("Large");
	const { code, stderr, report } = await set.run();
	expect(code, stderr).toBe(0);
	expect(repo.git("show", `${report.branch}:new.bin`)).toMatch(/^version https:\/\/git-lfs/);
	const { stdout } = await spar(["diff", "one"]);
	expect(stdout).toContain("+oid sha256:");
	expect(stdout).not.toContain("of the player");
	expect(await set.json("land")).toMatchObject({ outcome: "landed" });
	expect(repo.read("new.bin")).toBe("of the player\n");
	expect(repo.git("status", "--porcelain")).toBe("");
	expect(lfs("fsck")).toContain("OK");
	const id = /sha256:([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{60})/.exec(stdout) ?? [];
	const [, one = "", two = "", rest = ""] = id;
	expect(existsSync(join(repo.root, ".git/lfs/objects", one, two, one + two + rest))).toBe(true);
	rmSync(join(repo.root, ".git/lfs/objects"), { recursive: true });
	const absent = await spar(["run"]);
	expect(absent.code).toBe(2);
	expect(absent.stderr).toMatch(/no content for 2 files[\s\S]*git lfs pull/);
});

test("Git LFS: contents reach the checks of work that exists, and leave with them", async () => {
	const { repo, spar } = stage({ steps: [APPROVES], workflow: {} });
	const tests =
		'printf "TAP version 13\\n1..1\\n"; grep -q "^content" a.bin && echo ok 1 - whole\n';
	repo.git("lfs", "install", "--local");
	repo.write({ ".gitattributes": "*.bin filter=lfs -text\n", "a.bin": "content 1\n" });
	repo.write({ "test.sh": tests });
	repo.commit("Large files");
	repo.write({ "a.bin": "content 2\n", "b.bin": "content 3\n" });
	const standing = (): string[] =>
		readdirSync(join(repo.root, ".git"), { recursive: true, encoding: "utf8" }).sort();
	const before = standing();
	const { stdout, stderr } = await spar(["check", "--command", "sh test.sh", "--json"]);
	expect(JSON.parse(stdout), stderr).toMatchObject({
		verdict: "review",
		files: ["a.bin", "b.bin"],
		checks: [{ status: "pass" }, { status: "pass" }],
	});
	expect(standing()).toEqual(before);
});
