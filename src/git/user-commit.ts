import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { Fault } from "../kernel/fault.ts";
import type { Person } from "../kernel/person.ts";
import { commitMerge, commitQuery, type MergeCommit } from "./merging.ts";
import { lineOf, settingsIn } from "./parsing.ts";
import type { Reach } from "./remotes.ts";
import { type Repository, userPlace } from "./repository.ts";
import { askGit, IDENTITY, runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";

const SIGN_TIMEOUT_MS = 30_000;

/**
 * The identity that git would commit with here: from the environment (`GIT_AUTHOR_NAME`, `GIT_AUTHOR_EMAIL`) or the
 * user's configuration. What git would guess from the names of user and machine does not count.
 *
 * @returns null when none is set, or when it is none that git takes
 */
export async function userIdentity(
	repository: Repository,
	env: Reach["env"],
): Promise<Person | null> {
	const { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL } = env;
	const answer = await askGit(userPlace(repository), {
		args: ["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"],
		env: { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL },
		parse: lineOf,
	});
	const [, name = "", email = ""] = /^(.*) <(.*)> \d+ [+-]\d+$/.exec(lineOf(answer)) ?? [];
	return answer.exitCode !== 0 || name === "" || email === "" ? null : { name, email };
}

export interface Authorship {
	readonly by: Person;
	readonly env: Reach["env"];
	readonly isSigned: () => Promise<boolean>;
	/** Told why a commit that the configuration wants signed is not; one sentence. */
	readonly onUnsigned: (why: string) => void;
}

/**
 * Writes a commit in the user's name; moves no ref.
 *
 * It is signed only where the user's configuration has `commit.gpgSign`, the configured identity is the commit's, and
 * the program that signs needs no prompt. Where it cannot be signed, it is written without a signature.
 */
export async function commitAsUser(
	vault: Vault,
	commit: MergeCommit,
	{ by, env, isSigned, onUnsigned }: Authorship,
): Promise<string> {
	const own = { ...commit, by };
	if (isSame(by, IDENTITY) || !(await isSigned())) return await commitMerge(vault, own);
	if (!isSame(by, await userIdentity(vault.repository, env))) {
		onUnsigned(`the run was started by ${by.name} <${by.email}>, who is not the user here`);
		return await commitMerge(vault, own);
	}
	const { signed, why } = await sign(vault, own, env);
	if (signed !== null) return signed;
	onUnsigned(why);
	return await commitMerge(vault, own);
}

function isSame(one: Person, other: Person | null): boolean {
	return one.name === other?.name && one.email === other.email;
}

/** True where the user's configuration has `commit.gpgSign`. */
export async function wantsSignature(repository: Repository): Promise<boolean> {
	const values = await runGit(userPlace(repository), {
		args: ["config", "--show-scope", "--type=bool", "--get-all", "commit.gpgSign"],
		// 1: it is not set. 128: it is no boolean, and git would not commit at all.
		exitCodes: [0, 1, 128],
		parse: (answer) => lineOf(answer).split("\n"),
	});
	// Sparring's own setting, which every command has, stands in the scope `command`.
	return values.findLast((line) => !line.startsWith("command\t"))?.endsWith("\ttrue") ?? false;
}

/** Without a terminal, a display or a pinentry, so that a program that would ask for a passphrase fails. */
async function sign(vault: Vault, commit: MergeCommit, env: Reach["env"]) {
	const { GNUPGHOME, SSH_AUTH_SOCK } = env;
	const program = await openPgpProgram(vault.repository);
	const quiet =
		program === null ? [] : ["-c", `gpg.openpgp.program=${await quietProgram(vault.gitDir)}`];
	const { args, ...query } = commitQuery(commit, ["-S"]);
	// Without a mark: an agent that gpg starts is the user's, and outlives the run.
	const own = { mark: undefined, signal: vault.signal, timeoutMs: SIGN_TIMEOUT_MS };
	try {
		const answer = await askGit(
			{ ...userPlace(vault.repository), ...own },
			{
				...query,
				args: ["-c", "i18n.commitEncoding=UTF-8", ...quiet, ...args],
				env: {
					GNUPGHOME,
					SSH_AUTH_SOCK,
					SSH_ASKPASS_REQUIRE: "never",
					[PROGRAM_VARIABLE]: program ?? undefined,
				},
			},
		);
		if (answer.exitCode === 0) return { signed: lineOf(answer), why: "" };
		return { signed: null, why: tellingLine(answer.stderr) };
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return { signed: null, why: error.message };
	}
}

// Git before version 2.40 keeps the words of the program that signs to itself.
function tellingLine(stderr: string): string {
	const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("[GNUPG:]"));
	return lines[0]?.replace(/^(?:error|fatal): /, "") ?? "the program that signs gave no reason";
}

async function openPgpProgram(repository: Repository): Promise<string | null> {
	const settings = await runGit(userPlace(repository), {
		args: ["config", "-z", "--get-regexp", "^gpg\\.(format|program|openpgp\\.program)$"],
		exitCodes: [0, 1],
		parse: ({ stdout }) => new Map(settingsIn(stdout)),
	});
	if ((settings.get("gpg.format") ?? "openpgp") !== "openpgp") return null;
	return settings.get("gpg.openpgp.program") ?? settings.get("gpg.program") ?? "gpg";
}

const PROGRAM_VARIABLE = "SPAR_GPG";

/** Git passes no options to gpg, and only an option keeps gpg's agent from opening a window. */
async function quietProgram(directory: string): Promise<string> {
	const file = join(directory, "sign");
	const written = asideOf(file);
	const options = "--batch --no-tty --pinentry-mode error";
	const text = `#!/bin/sh\nexec "$${PROGRAM_VARIABLE}" ${options} "$@"\n`;
	await writeFile(written, text, { mode: 0o700 });
	await rename(written, file);
	return file;
}
