import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { runSmall } from "../../test/support/small-process.ts";
import { copyTemplate } from "../../test/support/template.ts";
import type { Checkout } from "./checkout.ts";
import { openCheckout } from "./checkout.ts";
import { keepChildren } from "./kept-children.ts";
import type { Repository } from "./repository.ts";
import { openRepository } from "./repository.ts";
import type { Vault } from "./vault.ts";
import { openVault } from "./vault.ts";

/** A directory that goes when the test ends. */
export function scratchDirectory(name = "spar-git-"): string {
	const dir = realpathSync(mkdtempSync(join(tmpdir(), name)));
	onTestFinished(() => {
		rmSync(dir, { recursive: true, force: true });
	});
	return dir;
}

/** Runs git as a user would, with a configuration of nobody; its output without the last line end. */
export function git(cwd: string, ...args: string[]): string {
	const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
	const local = ["init.defaultBranch=main", "protocol.file.allow=always", "maintenance.auto=false"];
	const settings = [...who, ...local.flatMap((setting) => ["-c", setting])];
	const env = {
		PATH: "/usr/local/bin:/usr/bin:/bin",
		HOME: cwd,
		GIT_CONFIG_NOSYSTEM: "1",
		LC_ALL: "C",
	};
	const { status, stdout, stderr } = runSmall("git", [...settings, ...args], { cwd, env });
	if (status !== 0) throw new Error(`git ${args.join(" ")} exited with ${status}: ${stderr}`);
	return stdout.replace(/\n$/, "");
}

export type Files = Readonly<Record<string, string | Buffer>>;

export function writeFiles(dir: string, files: Files): void {
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(dir, name)), { recursive: true });
		writeFileSync(join(dir, name), content);
	}
}

/** Commits everything in a work tree; the id of the commit. */
export function commitAll(dir: string, message = "change"): string {
	git(dir, "add", "-A", "-f");
	// Its first line names the new commit, whole.
	const told = git(dir, "-c", "core.abbrev=no", "commit", "--allow-empty", "-m", message);
	return / ([0-9a-f]{40,64})\] /.exec(told)?.[1] ?? git(dir, "rev-parse", "HEAD");
}

/** A repository of a user with one commit. */
export function userRepository(files: Files = { "a.txt": "a\n" }, ...init: string[]): string {
	const dir = join(scratchDirectory(), "user");
	mkdirSync(dir);
	if (init.length > 0) git(dir, "init", "-q", ...init);
	else copyTemplate("user-repository", dir, (folder) => void git(folder, "init", "-q"));
	writeFiles(dir, files);
	commitAll(dir, "first");
	return dir;
}

/** A user's repository, its vault and a checkout that stands at its HEAD. */
export interface Scene {
	readonly user: string;
	readonly repository: Repository;
	readonly vault: Vault;
	readonly checkout: Checkout;
	/** The checkout's directory. */
	readonly dir: string;
	readonly state: string;
	readonly indexFile: string;
	readonly base: string;
}

export async function scene(files?: Files, ...init: string[]): Promise<Scene> {
	return await sceneOf(userRepository(files, ...init));
}

export async function sceneOf(user: string): Promise<Scene> {
	const state = scratchDirectory();
	const repository = await openRepository(user);
	const kept = keepChildren();
	onTestFinished(() => kept.end());
	const vault = await openVault(repository, state, { kept });
	const dir = join(state, "checkout");
	const indexFile = join(state, "index");
	const checkout = openCheckout(vault, { dir, indexFile });
	await checkout.forceTo(repository.headCommit);
	return { user, repository, vault, checkout, dir, state, indexFile, base: repository.headCommit };
}
