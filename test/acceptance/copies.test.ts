import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { APPROVES, type Stage, stage } from "./stage.ts";

const SECRET = "blue-heron-4711";
const OTHER = "red-kite-0815";

/** Each checkout shows what it has in `$HOME/seen`; the check needs the file as the user has it. */
const SEES = 'echo "$1 $(cat .env fixtures/a.txt | tr "\\n" " ")" >> "$HOME/seen"';
const CHECK = `${SEES.replace("$1", "check").replace("$HOME", USER_HOME)}; cat .env; grep -q heron .env && cat results.tap; echo ZAP=1 > .env; rm -r fixtures`;

function copyingStage(keys: object = {}): Stage {
	const set = stage({
		steps: [
			{
				role: "player",
				run: `${SEES.replace("$1", "player")}; cat .env; echo '!.env' > .gitignore; echo "KEY=changed" > .env; echo work > work.txt; mkdir -p fixtures; echo x > fixtures/a.txt`,
			},
			{ ...APPROVES, run: SEES.replace("$1", "coach") },
		],
		files: { ".gitignore": ".env\nfixtures/\n" },
		workflow: {
			copy: [".env", "fixtures/"],
			setup: ["cat .env > built.txt; rm built.txt; echo KEY=example > .env"],
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh", timeout: "20s" },
				more: { kind: "acceptance", run: "sh check.sh", timeout: "20s" },
			},
			...keys,
		},
	});
	set.repo.write({ "check.sh": `${CHECK}\n` });
	set.repo.commit("Check");
	set.repo.write({ ".env": `KEY=${SECRET}\n`, "fixtures/a.txt": "fixture\n" });
	return set;
}

/** Files of the state directory, beside what the run itself keeps, that hold a text. */
function filesWith(root: string, text: string): string[] {
	return readdirSync(join(root, ".sparring"), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes("/worktrees/"))
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => readFileSync(file, "latin1").includes(text));
}

thorough(
	"every checkout gets the copied files as the run found them, and nothing prints or commits them",
	async () => {
		const set = copyingStage();
		const { code, task, stdout, stderr, report } = await set.run();
		expect({ code, merged: task.merged }, stderr).toEqual({ code: 0, merged: true });
		const seen = set
			.kept("seen")
			.split("\n")
			.filter((line) => line !== "");
		expect(new Set(seen)).toEqual(
			new Set(["check", "player", "coach"].map((who) => `${who} KEY=${SECRET} fixture `)),
		);
		expect(stderr).toContain("copied into every checkout: .env, fixtures/a.txt");
		const files = set.repo.git("ls-tree", "-r", "--name-only", report.branch).split("\n");
		expect(files).toContain("work.txt");
		expect(files).not.toContain(".env");
		expect(files).not.toContain("fixtures/a.txt");
		expect(stdout + stderr).not.toContain(SECRET);
		expect(filesWith(set.repo.root, SECRET)).toEqual([]);
		const objects = set.repo.git("cat-file", "--batch-all-objects", "--batch");
		expect(objects.includes(SECRET)).toBe(false);
		expect((await set.spar(["land"])).code).toBe(0);
		expect(set.repo.read(".env")).toBe(`KEY=${SECRET}\n`);

		// A new run takes what the files hold now: the check does not accept it.
		// The rules of the player landed; the user's own count too.
		set.repo.write({ ".env": `KEY=${OTHER}\n`, ".git/info/exclude": ".env\nfixtures/\n" });
		set.repo.write({ ".gitignore": "" });
		set.repo.commit("No rules");
		const next = await set.run("--anyway");
		expect(next.code).toBe(1);
		expect(set.kept("seen")).toContain(`check KEY=${OTHER} fixture`);
		expect(set.kept("seen")).not.toMatch(/example|changed|ZAP/);
	},
);

thorough("a resumed run keeps what it took, for nobody else to read", async () => {
	const set = copyingStage({ human: { enabled: true }, sandbox: "off" });
	set.rewrite({
		copy: [".env", "fixtures/"],
		human: { enabled: true },
		checks: { tests: { kind: "acceptance", run: "sh check.sh" } },
	});
	const first = await set.run("--max-turns", "1");
	set.repo.write({ ".env": `KEY=${OTHER}\n` });
	rmSync(join(set.repo.root, "fixtures"), { recursive: true });
	const kept = readdirSync(join(set.repo.root, ".sparring/worktrees"));
	const directory = join(set.repo.root, ".sparring/worktrees", kept[0] ?? "", "copied");
	expect(statSync(join(directory, "0")).mode & 0o077).toBe(0);
	expect(first.report.run_id).toBe(kept[0]);
	expect(set.kept("seen")).not.toContain(OTHER);
});

thorough("a copied value under another name has to be answered for", async () => {
	const set = stage({
		steps: [{ role: "player", run: "cp .env notes.txt" }, APPROVES],
		files: { ".gitignore": ".env\n" },
		workflow: { copy: [".env"] },
		task: { max_turns: 1 },
	});
	set.repo.write({ ".env": `KEY=${SECRET}\n` });
	const { code, task, stderr } = await set.run();
	expect({ code, merged: task.merged }).toEqual({ code: 1, merged: false });
	expect(stderr).toContain("at notes.txt (a value that no commit should hold was added)");
	expect(stderr).not.toContain(SECRET);
});

thorough("what the project builds is not copied: checks would test the user's build", async () => {
	const set = copyingStage({ copy: ["dist/"] });
	set.repo.write({ ".gitignore": "dist/\n", "src/calc.js": "1;\n" });
	set.repo.commit("Calc");
	set.repo.write({ "dist/calc.js": "1;\n" });
	const { code, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain('copy: "dist/" holds dist/calc.js, which is built from');
});

test("what cannot be copied ends a run with exit 2 before anything is created", async () => {
	const set = copyingStage({ copy: [".env", "gone.env", "results.tap"] });
	const { code, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain('sparring.yaml: copy: "gone.env" does not exist in');
	expect(stderr).toContain('sparring.yaml: copy: "results.tap" is tracked');
	expect(await set.json("runs")).toEqual([]);
	set.rewrite({ copy: ["../x", "/etc/passwd", ".git/config", ".sparring/x"] });
	const invalid = await set.spar(["validate"]);
	expect(invalid.code).toBe(2);
	expect(invalid.stdout + invalid.stderr).toMatch(
		/sparring\.yaml:\d+:\d+ "\.\.\/x" must stay inside/,
	);
	expect(invalid.stdout + invalid.stderr).toContain('".sparring/x" is Sparring\'s own state');
});
