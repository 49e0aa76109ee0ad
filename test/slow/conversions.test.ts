import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { APPROVES, type Stage, stage } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";

/** Commits a file with just these bytes, as before the attributes were there. */
function commitBlobs({ repo }: Stage, blobs: Readonly<Record<string, string>>): void {
	for (const [path, content] of Object.entries(blobs)) {
		const oid = execFileSync("git", ["hash-object", "-w", "--no-filters", "--stdin"], {
			cwd: repo.root,
			input: content,
		});
		repo.git("update-index", "--add", "--cacheinfo", `100644,${oid.toString().trim()},${path}`);
	}
	repo.git("commit", "--quiet", "--message=Blobs");
	repo.git("checkout", "--quiet", "--force", "main");
}

const CRLF_BLOBS = { "a.txt": "1\r\n2\r\n3\r\n", "b.txt": "b\r\n", "guarded/c.txt": "c\r\n" };
const EDITS_ONE_LINE = [
	{ role: "player", run: "printf '1\\r\\ntwo\\r\\n3\\r\\n' > a.txt" } as const,
	APPROVES,
];

thorough(
	"a one-line edit of a blob with CRLF under text is a one-line change, protected files are not violated, and landing keeps status clean",
	async () => {
		const set = stage({
			steps: EDITS_ONE_LINE,
			files: { ".gitattributes": "*.txt text\n" },
			workflow: { protected: ["guarded/**"] },
		});
		const { repo, spar, json } = set;
		repo.git("config", "core.autocrlf", "true");
		commitBlobs(set, CRLF_BLOBS);
		const { code, task, stderr } = await set.run();
		expect([code, task.turns], stderr).toEqual([0, 1]);
		const { stdout } = await spar(["diff", "one"]);
		expect(stdout.match(/^diff --git .*$/gm)).toEqual(["diff --git a/a.txt b/a.txt"]);
		expect(stdout.match(/^[-+](?![-+]).*$/gm)?.map((line) => line.trimEnd())).toEqual([
			"-2",
			"+two",
		]);
		repo.git("update-index", "-q", "--refresh");
		const before = repo.git("status", "--porcelain");
		expect(await json("land")).toMatchObject({ outcome: "landed" });
		expect(repo.read("a.txt")).toBe("1\r\ntwo\r\n3\r\n");
		expect(repo.git("status", "--porcelain")).toBe(before);
	},
);

// What Git LFS does is tried in `test/sandbox/git-lfs.test.ts`.
describe("filters of the base commit", () => {
	test("one that is not Git LFS is refused before anything happens, and doctor and validate say it", async () => {
		const { repo, spar } = stage({
			steps: [APPROVES],
			files: { ".gitattributes": "*.bin filter=keeper -text\n", "big.bin": "large\n" },
		});
		repo.git("config", "--global", "filter.keeper.clean", "cat");
		const run = await spar(["run"]);
		expect(run.code).toBe(2);
		expect(run.stderr).toMatch(
			/the filter keeper is not supported: Git LFS is the only one.*big\.bin.*\.gitattributes:1/,
		);
		expect(repo.git("branch", "--list", "sparring/*")).toBe("");
		const validate = await spar(["validate"]);
		expect(validate.code).toBe(2);
		expect(validate.stderr).toMatch(/^\.gitattributes:1:1 the filter keeper is not supported/m);
		const doctor = await spar(["doctor"]);
		expect(doctor.stdout + doctor.stderr).toMatch(/filter keeper/);
	});

	thorough("a filter that nobody defined is a warning, and the run goes on", async () => {
		const set = stage({
			steps: [{ role: "player", run: "echo x > new.bin" }, APPROVES],
			files: { ".gitattributes": "*.bin filter=unknown\n", "a.bin": "a\n" },
		});
		const validate = await set.spar(["validate"]);
		expect(validate.code).toBe(0);
		expect(validate.stderr).toMatch(
			/warning: the filter unknown is not in git's configuration.*a\.bin/,
		);
		const { code, stderr } = await set.run();
		expect(code).toBe(0);
		expect(stderr).toContain("the filter unknown is not in git's configuration");
	});
});
