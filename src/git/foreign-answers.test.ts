import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { diffTexts } from "./changes.ts";
import { keepChildren } from "./kept-children.ts";
import { changeRefs } from "./ref-transaction.ts";

import { sceneOf, scratchDirectory, userRepository, writeFiles } from "./scratch.fixture.ts";
import { standardHost } from "./standard-host.ts";
import { type Vault, vaultPlace } from "./vault.ts";

/** A vault with one commit, where a `git` on the PATH answers one command of its own, and leaves the rest to the real one. */
async function withOtherGit(
	command: string,
	answer: string,
): Promise<{ readonly vault: Vault; readonly base: string }> {
	const { vault, base } = await sceneOf(userRepository({ a: "1\n" }));
	const bin = scratchDirectory();
	const script = [
		`case " $* " in *" ${command} "*) ${answer}; exit;; esac`,
		"PATH=$" + "{PATH#*:}",
		'exec git "$@"',
	];
	writeFiles(bin, { git: ["#!/bin/sh", ...script, ""].join("\n") });
	chmodSync(join(bin, "git"), 0o755);
	const host = { ...standardHost, path: [bin, standardHost.path].join(delimiter) };
	const kept = keepChildren();
	onTestFinished(() => kept.end());
	const repository = { ...vault.repository, host };
	return { vault: { ...vault, repository, kept }, base };
}

test("a transaction of refs that is answered with other words is a fault, not a change that was made", async () => {
	const { vault, base } = await withOtherGit(
		"update-ref",
		"printf 'start: ok\\ncommit: no\\n'; cat >/dev/null",
	);
	const changing = changeRefs(vaultPlace(vault), ["create refs/heads/x", base]);
	await expect(changing).rejects.toMatchObject({ code: "git-failed", retryable: true });
	await expect(changing).rejects.toThrow("git update-ref said");
});

test("differences that do not say of what they are, are a fault and not taken for those asked for", async () => {
	const { vault, base } = await withOtherGit(
		"diff-tree",
		'while read -r line; do case "$line" in end*) echo "$line";; esac; done',
	);
	const asking = diffTexts(vault, [{ from: base, to: base }], { maxBytes: 1_000 });
	await expect(asking).rejects.toMatchObject({ code: "git-failed", retryable: true });
	await expect(asking).rejects.toThrow("did not answer the question");
});
