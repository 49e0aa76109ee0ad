import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, type Stage, stage, TAP_RED, textLike, WORKS } from "./stage.ts";

/** What ssh would do, for a repository on this disk. */
const SSH = `#!/bin/sh
for last; do :; done
exec "\${last%% *}" "$BARE"
`;

/** Keeps the text of one pull request in a file, and what it was asked in another. */
const GH = `#!/bin/sh
printf '%s\\n' "$*" >> "$GH_LOG"
case "$2" in
list) if [ -f "$GH_BODY" ]; then node -e '
	const body = require("node:fs").readFileSync(process.env.GH_BODY, "utf8");
	console.log(JSON.stringify([{ number: 7, url: "https://github.com/acme/limiter/pull/7", body }]))'
	else echo '[]'; fi ;;
create) if [ -n "$GH_FAILS" ]; then echo "not logged in" >&2; exit 4; fi
	cat > "$GH_BODY"; echo https://github.com/acme/limiter/pull/7 ;;
edit) cat > "$GH_BODY" ;;
esac
`;

interface Proposed extends Stage {
	readonly branch: string;
	readonly propose: (...args: readonly string[]) => ReturnType<Stage["spar"]>;
	readonly bare: (...args: readonly string[]) => string;
	readonly env: Readonly<Record<string, string>>;
}

/** A run that has completed, and a bare repository that stands for \`git@github.com:acme/limiter.git\`. */
async function completed(): Promise<Proposed> {
	const set = stage({ steps: [WORKS, APPROVES], task: { description: "Count calls.\n\nAll." } });
	const { repo } = set;
	const bin = join(repo.home, "bin");
	const bare = join(repo.home, "bare.git");
	repo.write({ "../bin/gh": GH, "../bin/ssh-stand-in": SSH });
	const env = {
		PATH: [bin, repo.env["PATH"]].join(delimiter),
		GIT_SSH_COMMAND: join(bin, "ssh-stand-in"),
		GIT_SSH_VARIANT: "simple",
		BARE: bare,
		GH_LOG: join(repo.home, "gh.log"),
		GH_BODY: join(repo.home, "gh.md"),
	};
	const { code, report } = await set.run();
	expect(code).toBe(0);
	return {
		...set,
		env,
		branch: report.branch,
		propose: (...args) => set.spar(["land", "--pr", ...args], { env }),
		bare: (...args) => repo.git("--git-dir", bare, ...args),
	};
}

let run: Promise<Proposed> | undefined;

/** The one run of these tests, as if nothing was ever pushed. */
async function proposed(): Promise<Proposed> {
	run ??= completed();
	const set = await run;
	for (const name of set.repo.git("remote").split("\n").filter(Boolean))
		set.repo.git("remote", "remove", name);
	for (const name of ["BARE", "GH_LOG", "GH_BODY"])
		rmSync(set.env[name] ?? "", { recursive: true, force: true });
	set.repo.git("init", "--quiet", "--bare", "--template=", set.env["BARE"] ?? "");
	return set;
}

describe("spar land --pr", () => {
	thorough("refuses without a remote, with several, and with one that has no base", async () => {
		const { repo, propose, spar, branch } = await proposed();
		const failed = async (...args: string[]): Promise<string> => {
			const { code, stdout, stderr } = await propose(...args);
			expect([code, stdout]).toEqual([2, ""]);
			return stderr;
		};
		expect(await failed()).toContain("no remote to push to");
		repo.git("remote", "add", "mine", "git@github.com:me/limiter.git");
		repo.git("remote", "add", "theirs", "git@github.com:acme/limiter.git");
		expect(await failed()).toMatch(/several remotes: mine, theirs.*--remote NAME/s);
		expect(await failed("--remote", "their")).toContain('did you mean "theirs"?');
		expect(await failed("--remote", "theirs")).toContain("git push theirs main");
		repo.git("config", "branch.main.remote", "theirs");
		expect(await failed()).toContain("git push theirs main");
		repo.git("remote", "set-url", "theirs", "https://me:hunter2hunter2@127.0.0.1:1/a/b.git");
		const unreachable = await failed();
		expect(unreachable).toContain("theirs cannot be reached");
		expect(unreachable).not.toContain("hunter2");
		expect((await spar(["land", "--remote", "theirs"])).stderr).toContain("without --pr");
		expect(repo.git("rev-parse", branch)).not.toBe(repo.git("rev-parse", "main"));
	});

	thorough("says what to do where the remote has no address, or none of the web", async () => {
		const { repo, propose, env, branch, json } = await proposed();
		const run = z.array(z.object({ run_id: z.string() })).parse(await json("runs"))[0]?.run_id;
		repo.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
		expect(await propose()).toMatchObject({
			code: 2,
			stderr: `error: the remote origin has no address to push to\nGive it one with \`git config remote.origin.url URL\`, or land here: spar land ${run}\n`,
		});
		repo.git("config", "remote.origin.url", env["BARE"] ?? "");
		repo.git("push", "--quiet", "origin", "main");
		expect(await propose()).toMatchObject({
			code: 0,
			stdout: textLike(
				`no web address is known for origin: open a pull request for that branch there by hand, or land the run here: spar land ${run}\n`,
			),
		});
		expect(repo.git("ls-remote", "origin", branch)).not.toBe("");
	});

	thorough(
		"pushes the branch, opens one pull request, and brings its text up to date",
		async () => {
			const { repo, propose, bare, env, branch, json } = await proposed();
			repo.git("remote", "add", "origin", "git@github.com:acme/limiter.git");
			repo.git("push", "--quiet", env["BARE"] ?? "", "main");
			const base = repo.git("rev-parse", "main");
			const opened = await propose();
			expect(opened.stderr).toBe(`note: pushing ${branch} to origin\n`);
			expect(opened.stdout).toBe(
				`pushed ${branch} to origin at ${repo.git("rev-parse", branch)}\nopened the pull request: https://github.com/acme/limiter/pull/7\n`,
			);
			expect(bare("rev-parse", branch)).toBe(repo.git("rev-parse", branch));
			const asked = (): string[] =>
				readFileSync(env["GH_LOG"] ?? "", "utf8")
					.trim()
					.split("\n");
			expect(asked()).toEqual([
				`pr list --repo github.com/acme/limiter --head ${branch} --state open --json number,url,body`,
				`pr create --repo github.com/acme/limiter --head ${branch} --base main --title Count calls. --body-file -`,
			]);
			const body = readFileSync(env["GH_BODY"] ?? "", "utf8");
			expect(body).toContain(`| ${CRITERION} | met | seen |`);
			expect(body).toMatch(/tests \| acceptance \| pass/);
			// The reviewer adds a word, and the report in it is old.
			writeFileSync(env["GH_BODY"] ?? "", `Looks good.\n${body.replace("## test", "## old")}`);
			const again = await propose("--json");
			expect(JSON.parse(again.stdout)).toMatchObject({
				outcome: "proposed",
				remote: "origin",
				pushed: true,
				url: "https://github.com/acme/limiter/pull/7",
				pull_request: "updated",
			});
			expect(asked().at(-1)).toBe("pr edit 7 --repo github.com/acme/limiter --body-file -");
			expect(readFileSync(env["GH_BODY"] ?? "", "utf8")).toBe(`Looks good.\n${body}`);
			expect(repo.git("rev-parse", "main")).toBe(base);
			expect(await json("runs")).toMatchObject([{ landed: false }]);
		},
	);

	thorough(
		"says the address where gh cannot open it, and what the remote or a hook refused",
		async () => {
			const { repo, spar, propose, bare, env, branch } = await proposed();
			repo.git("remote", "add", "origin", "git@github.com:acme/limiter.git");
			repo.git("push", "--quiet", env["BARE"] ?? "", "main");
			repo.write({ ".git/hooks/pre-push": "#!/bin/sh\necho 'no push on Sundays' >&2\nexit 1\n" });
			const hooked = await propose();
			expect([hooked.code, hooked.stderr]).toEqual([2, textLike("no push on Sundays")]);
			expect(bare("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
			repo.write({ ".git/hooks/pre-push": null });
			const fails = await spar(["land", "--pr"], { env: { ...env, GH_FAILS: "1" } });
			expect(fails.code).toBe(0);
			expect(fails.stderr).toContain("not logged in");
			expect(fails.stdout).toContain(
				`open a pull request: https://github.com/acme/limiter/compare/main...${branch}?expand=1`,
			);
			repo.git("remote", "set-url", "origin", "git@gitlab.com:acme/limiter.git");
			expect((await propose()).stdout).toContain(
				"https://gitlab.com/acme/limiter/-/merge_requests/new",
			);
			expect(existsSync(env["GH_BODY"] ?? "")).toBe(false);
			// Somebody else added a commit to the branch.
			const by = ["-c", "user.name=A", "-c", "user.email=a@b"];
			const added = bare(...by, "commit-tree", "-m", "x", "-p", branch, `${branch}^{tree}`);
			bare("update-ref", `refs/heads/${branch}`, added);
			const behind = await propose();
			expect([behind.code, behind.stderr]).toEqual([
				2,
				textLike("has commits that this repository does not have"),
			]);
			bare("update-ref", "refs/heads/main", repo.git("rev-parse", branch));
			expect((await propose()).stdout).toMatch(/^origin already has all of/);
		},
	);

	test("pushes no commit made by hand on which the checks are red", async () => {
		const { repo, propose, bare, env, branch } = await proposed();
		repo.git("remote", "add", "origin", "git@gitlab.com:acme/limiter.git");
		repo.git("push", "--quiet", env["BARE"] ?? "", "main");
		repo.git("switch", "--quiet", branch);
		repo.write({ "results.tap": TAP_RED });
		repo.commit("By hand");
		repo.git("switch", "--quiet", "main");
		const red = await propose();
		expect([red.code, red.stdout]).toEqual([
			1,
			textLike(/^not pushed to origin: .*did not test, and tests failed/),
		]);
		expect(red.stderr).toContain("was moved by somebody else to");
		expect(bare("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
	});

	thorough("pushes nothing that a formal review has not approved", async () => {
		const overlays = pair();
		const one = { description: "Do it.", acceptance_criteria: [CRITERION], overlays };
		const review = {
			agent: "judge",
			formal_review: true,
			depends_on: ["one"],
			description: "Review it.",
		};
		const no = { decision: "feedback", rationale: "No.", feedback_items: [{ issue: "No docs" }] };
		const set = stage({
			steps: [{ role: "coach", task: "review", report: no }, WORKS, APPROVES],
			workflow: { tasks: { one, review } },
		});
		const { dev, coach } = set.agents.agents;
		set.rewrite({ agents: { dev, coach, judge: dev } });
		set.repo.commit("With a review");
		expect((await set.run()).code).toBe(1);
		const bare = join(set.repo.home, "bare.git");
		set.repo.git("init", "--quiet", "--bare", "--template=", bare);
		set.repo.git("remote", "add", "origin", bare);
		const { code, stdout } = await set.spar(["land", "--pr"]);
		expect([code, stdout]).toEqual([
			1,
			textLike(/^not pushed to origin: the formal review review has not approved it/),
		]);
		expect(set.repo.git("ls-remote", "origin")).toBe("");
	});
});
