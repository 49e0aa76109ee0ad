import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commentOnIssue, issueReference, issueTask } from "./issue-task.ts";

let bin = "";
beforeEach(() => {
	bin = realpathSync(mkdtempSync(join(tmpdir(), "spar-issue-")));
});
afterEach(() => {
	rmSync(bin, { recursive: true, force: true });
});

/** A program of a forge that answers by its first two arguments, and notes all of them. */
function forge(name: string, answers: Readonly<Record<string, string>>): void {
	const cases = Object.entries(answers).map(
		([words, answer]) => `"${words}"*) cat <<'END'\n${answer}\nEND\n;;`,
	);
	const script = `#!/bin/sh\necho "$*" >> "${bin}/calls"\ncase "$*" in\n${cases.join("\n")}\n*) echo "no such thing" >&2; exit 1;;\nesac\n`;
	writeFileSync(join(bin, name), script);
	chmodSync(join(bin, name), 0o755);
}

async function task(word: string, { isTrusted = false, env = {} } = {}) {
	const reference = issueReference(word);
	if (reference === null) throw new Error("no issue");
	const PATH = [bin, "/usr/bin", "/bin"].join(delimiter);
	return await issueTask(reference, {
		cwd: bin,
		env: { PATH, ...env },
		signal: undefined,
		isTrusted,
	});
}

const ISSUE = JSON.stringify({
	number: 12,
	title: "Dates are off by one",
	body: "In March.\r\n\r\n- [ ] the 31st works\r\n- [x] so does the 1st\r\n",
	url: "https://github.com/us/app/issues/12",
	author: { login: "ada" },
});

const githubBy = (role: string) =>
	forge("gh", {
		"issue view": ISSUE,
		"api repos/us/app/issues/12": JSON.stringify({ author_association: role }),
	});

test("words that name an issue", () => {
	expect(issueReference("#12")).toEqual({ forge: null, named: "12" });
	const github = "https://github.com/us/app/issues/12#issuecomment-1";
	expect(issueReference(github)).toEqual({ forge: "gh", named: github });
	const gitlab = "https://gitlab.com/us/group/app/-/issues/3";
	expect(issueReference(gitlab)).toEqual({ forge: "glab", named: gitlab });
	for (const word of [
		"12",
		"#x",
		"https://github.com/us/app/pull/12",
		"http://github.com/u/a/issues/1",
		"fix #12",
	])
		expect(issueReference(word)).toBeNull();
});

test("title and text are the description, the checklist the criteria", async () => {
	githubBy("MEMBER");
	expect(await task("#12")).toEqual({
		id: "issue-12-dates-are-off-by-one",
		description: "Dates are off by one\n\nIn March.\n\n- [ ] the 31st works\n- [x] so does the 1st",
		criteria: ["the 31st works", "so does the 1st"],
	});
	expect(readFileSync(join(bin, "calls"), "utf8")).toBe(
		"issue view 12 --json number,title,body,url,author\napi repos/us/app/issues/12\n",
	);
});

test("an author who does not belong to the project is refused, unless somebody says so", async () => {
	for (const role of ["NONE", "CONTRIBUTOR", "FIRST_TIMER"]) {
		githubBy(role);
		await expect(task("#12")).rejects.toMatchObject({
			code: "usage",
			message: `issue 12 was written by ada: no owner, member or collaborator of us/app (${role})`,
			hint: expect.stringContaining("--trust-author") as string,
		});
		expect((await task("#12", { isTrusted: true })).criteria).toHaveLength(2);
	}
	forge("gh", { "issue view": ISSUE, "api ": "{}" });
	await expect(task("#12")).rejects.toThrow("(unknown)");
	forge("gh", { "issue view": ISSUE });
	await expect(task("#12")).rejects.toThrow("no such thing");
});

test("an issue of GitLab, by a member or not", async () => {
	const issue = {
		iid: 3,
		title: "Dates",
		description: "## Acceptance criteria\n\n- the 31st works\n",
		web_url: "https://gitlab.example.org/us/app/-/issues/3",
		project_id: 7,
		author: { id: 5, username: "ada" },
	};
	forge("glab", { "issue view": JSON.stringify(issue) });
	await expect(task("#3")).rejects.toThrow("issue 3 was written by ada: no member of the project");
	const member = "api --hostname gitlab.example.org projects/7/members/all/5";
	forge("glab", { "issue view": JSON.stringify(issue), [member]: "{}" });
	expect(await task("#3")).toEqual({
		id: "issue-3-dates",
		description: "Dates",
		criteria: ["the 31st works"],
	});
});

test("without the program, or with one that cannot read the issue, the way out is told", async () => {
	await expect(task("#12", { env: { PATH: bin } })).rejects.toMatchObject({
		code: "usage",
		message: "gh is not on the PATH, which reads issues of GitHub",
	});
	forge("gh", {});
	await expect(task("#12")).rejects.toThrow("the issue cannot be read: no such thing");
	forge("gh", { "issue view": "oops" });
	await expect(task("#12")).rejects.toThrow("its answer is no JSON");
});

test("a comment goes below the issue by the program that reads it, and its words say why not", async () => {
	const place = { cwd: bin, env: { PATH: [bin, "/usr/bin", "/bin"].join(delimiter) } };
	const comment = async (word: string): Promise<string | null> => {
		const reference = issueReference(word);
		if (reference === null) throw new Error("no issue");
		return await commentOnIssue(reference, "## done\n", { ...place, signal: undefined });
	};
	forge("gh", { "issue comment 12": "ok" });
	forge("glab", { "issue note https": "ok" });
	expect(await comment("#12")).toBeNull();
	expect(await comment("https://gitlab.com/us/app/-/issues/3")).toBeNull();
	expect(await comment("https://github.com/us/app/issues/12")).toBe("no such thing");
	expect(readFileSync(join(bin, "calls"), "utf8").split("\n")).toEqual([
		"issue comment 12 --body-file -",
		"issue note https://gitlab.com/us/app/-/issues/3 --message ## done",
		"",
		"issue comment https://github.com/us/app/issues/12 --body-file -",
		"",
	]);
});
