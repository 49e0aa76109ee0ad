import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { openRepository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import { refsContract } from "../loop/refs.contract.ts";
import { taskRefs } from "./task-refs.ts";

let root = "";
const git = (...args: string[]): string =>
	execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], {
		cwd: root,
		encoding: "utf8",
	}).trim();
const commit = (subject: string): string => {
	git("commit", "--quiet", "--allow-empty", "-m", subject);
	return git("rev-parse", "HEAD");
};

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-refs-"));
	git("init", "--quiet", "--initial-branch=main");
	isTaken = false;
});
afterEach(() => rmSync(root, { recursive: true }));

const refs = async () =>
	taskRefs(await openRepository(root), {
		runId: "r1",
		taskId: "one",
		branch: "sparring/r1/one",
		integration: "sparring/r1/integration",
		merged: async () => merged(),
		base: "main",
		requireLease: async () => {
			if (isTaken) throw leaseLost;
		},
	});
let isTaken = false;
const leaseLost = new Fault("taken over", { code: "lease-lost", hint: "See who has it." });
let merged: () => string[] = () => [];
const branch = (): string => git("rev-parse", "refs/heads/sparring/r1/one");

test("a turn moves the task's branch and keeps the commit, and doing it again changes nothing", async () => {
	const [first, second] = [commit("1"), commit("2")];
	const set = await refs();
	await set.publish("turn-1", first, null);
	await set.publish("turn-2", second, first);
	await set.publish("turn-2", second, first);
	expect(branch()).toBe(second);
	expect(git("for-each-ref", "--format=%(refname)", "refs/sparring").split("\n")).toEqual([
		"refs/sparring/r1/one/turn-1",
		"refs/sparring/r1/one/turn-2",
	]);
});

test("a process whose run another one has taken over moves nothing", async () => {
	const [first, second] = [commit("1"), commit("2")];
	const set = await refs();
	await set.publish("turn-1", first, null);
	git("update-ref", "refs/heads/sparring/r1/integration", first);
	const before = git("for-each-ref");
	isTaken = true;
	await expect(set.publish("turn-2", second, first)).rejects.toBe(leaseLost);
	await expect(set.keep("merge-1", second)).rejects.toBe(leaseLost);
	await expect(set.moveIntegration(first, second)).rejects.toBe(leaseLost);
	expect(git("for-each-ref")).toBe(before);
});

thorough("what a kill left half-done is finished", async () => {
	const [first, second] = [commit("1"), commit("2")];
	const set = await refs();
	await set.publish("turn-1", first, null);
	git("update-ref", "refs/heads/sparring/r1/one", second);
	await set.publish("turn-2", second, first);
	expect(git("rev-parse", "refs/sparring/r1/one/turn-2")).toBe(second);
});

thorough("what a kill left half-done in a checkout of the branch is finished", async () => {
	const first = commit("1");
	writeFileSync(join(root, "work.txt"), "2");
	git("add", "--all");
	const second = commit("2");
	const set = await refs();
	await set.publish("turn-1", first, null);
	git("checkout", "--quiet", "sparring/r1/one");
	// The private ref comes first, then the files of the checkout, then the branch.
	git("update-ref", "refs/sparring/r1/one/turn-2", second);
	writeFileSync(join(root, "work.txt"), "2");
	await set.publish("turn-2", second, first);
	expect([branch(), git("status", "--porcelain")]).toEqual([second, ""]);
	await set.publish("turn-2", second, first);
});

test("a branch that somebody else moved is never reset", async () => {
	const [first, second, other] = [commit("1"), commit("2"), commit("3")];
	const set = await refs();
	await set.publish("turn-1", first, null);
	git("update-ref", "refs/heads/sparring/r1/one", other);
	await expect(set.publish("turn-2", second, first)).rejects.toMatchObject({
		code: "ref-in-the-way",
	});
	expect(branch()).toBe(other);
});

test("an integration branch that is gone stops the run with the way out", async () => {
	commit("1");
	const set = await refs();
	await expect(set.integrationTip()).rejects.toMatchObject({ code: "ref-in-the-way" });
});

test("an integration branch that no longer holds what was merged is refused with the way back", async () => {
	const [first, second] = [commit("1"), commit("2")];
	const set = await refs();
	git("branch", "sparring/r1/integration", second);
	merged = () => [second];
	expect(await set.integrationTip()).toBe(second);
	git("branch", "-f", "sparring/r1/integration", first);
	await expect(set.integrationTip()).rejects.toMatchObject({
		code: "ref-in-the-way",
		hint: `Put it back with \`git branch -f sparring/r1/integration ${second}\`, then resume.`,
	});
});

test("work that another task merges while the tip is read is not missed on it", async () => {
	const [first, second] = [commit("1"), commit("2")];
	const set = await refs();
	git("branch", "sparring/r1/integration", first);
	merged = () => {
		git("branch", "-f", "sparring/r1/integration", second);
		return [second];
	};
	expect(await set.integrationTip()).toBe(second);
});

test("what is known of the integration branch does not hide that it was set back", async () => {
	const [first, second, third] = [commit("1"), commit("2"), commit("3")];
	const set = await refs();
	git("branch", "sparring/r1/integration", first);
	merged = () => [];
	expect(await set.moveIntegration(first, second)).toBe(true);
	expect(await set.moveIntegration(first, third)).toBe(false);
	merged = () => [second];
	expect(await set.integrationTip()).toBe(second);
	git("branch", "-f", "sparring/r1/integration", first);
	await expect(set.integrationTip()).rejects.toMatchObject({ code: "ref-in-the-way" });
});

test("a branch of the same name that the run did not make is not taken over", async () => {
	const [mine, theirs] = [commit("1"), commit("2")];
	git("update-ref", "refs/heads/sparring/r1/one", theirs);
	const set = await refs();
	const refused = set.publish("turn-1", mine, null);
	await expect(refused).rejects.toMatchObject({
		code: "ref-in-the-way",
		message: "there is a branch sparring/r1/one that this run did not make",
		hint: "Sparring takes over no branch. Rename it with `git branch -m sparring/r1/one sparring/r1/one-kept`, then resume.",
	});
	expect(branch()).toBe(theirs);
});

const shown = (ref: string): string | null =>
	git("for-each-ref", "--format=%(objectname)", ref) || null;

refsContract("git", async () => {
	commit("first");
	merged = () => [];
	return {
		refs: await refs(),
		commit: async (subject) => commit(subject),
		branch: async () => shown("refs/heads/sparring/r1/one"),
		kept: async (label) => shown(`refs/sparring/r1/one/${label}`),
		place: async (at) => void git("update-ref", "refs/heads/sparring/r1/integration", at),
		close: async () => undefined,
	};
});
