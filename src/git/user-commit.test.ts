import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import type { Person } from "../kernel/person.ts";
import { openRepository } from "./repository.ts";
import { IDENTITY } from "./run-git.ts";
import { git, scratchDirectory, userRepository } from "./scratch.fixture.ts";
import { standardHost } from "./standard-host.ts";
import { commitAsUser, userIdentity, wantsSignature } from "./user-commit.ts";
import { openVault } from "./vault.ts";

const ADA: Person = { name: "Ada", email: "ada@example.org" };
const GRACE: Person = { name: "Grace", email: "grace@example.org" };

/** A repository whose user has these settings, and no others. */
async function place(settings: Readonly<Record<string, string>> = {}) {
	const user = userRepository();
	const home = scratchDirectory();
	for (const [key, value] of Object.entries(settings)) git(user, "config", key, value);
	const repository = await openRepository(user, { path: standardHost.path, home });
	const vault = await openVault(repository, home);
	const parent = git(user, "rev-parse", "HEAD");
	const told: string[] = [];
	const tree = git(user, "rev-parse", "HEAD^{tree}");
	const request = { tree, parents: [parent], message: "Add ü\n", at: 5_000 };
	const commit = (by: Person) =>
		commitAsUser(vault, request, {
			by,
			env: {},
			isSigned: () => wantsSignature(vault.repository),
			onUnsigned: (why) => void told.push(why),
		});
	const written = async (by: Person) => git(user, "cat-file", "commit", await commit(by));
	return { user, home, repository, told, written };
}

const NAMED = { "user.name": ADA.name, "user.email": ADA.email };

/** A program that signs as gpg does, and keeps its arguments; or one that ends as gpg does without a passphrase. */
function signer(home: string, end: string): string {
	const file = join(home, "gpg program");
	writeFileSync(file, `#!/bin/sh\necho "$@" > "${home}/arguments"\ncat > /dev/null\n${end}\n`);
	chmodSync(file, 0o755);
	return file;
}
const SIGNS = 'echo "[GNUPG:] SIG_CREATED " >&2; echo SIGNATURE';
const ASKS = 'echo "gpg: signing failed: No pinentry" >&2; exit 2';

test("the identity is that of the configuration, and the environment's goes before it", async () => {
	const { repository } = await place(NAMED);
	expect(await userIdentity(repository, {})).toEqual(ADA);
	const env = { GIT_AUTHOR_NAME: GRACE.name, GIT_AUTHOR_EMAIL: GRACE.email };
	expect(await userIdentity(repository, env)).toEqual(GRACE);
});

test.each([
	["nothing", {}],
	["half of it", { "user.name": "Ada" }],
	["a name that git refuses", { "user.name": ".", "user.email": "a@b" }],
	["an empty address", { "user.name": "Ada", "user.email": "" }],
])("%s is no identity, and nothing is guessed", async (_, settings) => {
	const { repository } = await place(settings);
	expect(await userIdentity(repository, {})).toBeNull();
});

test("author and committer are the one who is named, at the time that is given", async () => {
	const { written, told } = await place(NAMED);
	expect(await written(GRACE)).toMatch(
		/\nauthor Grace <grace@example\.org> 5 \+0000\ncommitter Grace <grace@example\.org> 5 \+0000\n\nAdd ü$/,
	);
	expect(told).toEqual([]);
});

test("it is signed where the configuration says so, by a program that may not ask", async () => {
	const set = await place({ ...NAMED, "commit.gpgSign": "true", "i18n.commitEncoding": "latin1" });
	git(set.user, "config", "gpg.program", signer(set.home, SIGNS));
	const text = await set.written(ADA);
	expect(text).toContain("\ngpgsig SIGNATURE\n\nAdd ü");
	expect(text).not.toContain("encoding");
	expect(readFileSync(join(set.home, "arguments"), "utf8")).toMatch(
		/^--batch --no-tty --pinentry-mode error /,
	);
	expect(set.told).toEqual([]);
});

test("where signing takes a passphrase it is written unsigned, and git says why", async () => {
	const set = await place({ ...NAMED, "commit.gpgSign": "1" });
	git(set.user, "config", "gpg.program", signer(set.home, ASKS));
	expect(await set.written(ADA)).not.toContain("gpgsig");
	expect(set.told).toEqual([expect.stringMatching(/^gpg failed to sign the data/)]);
});

thorough("a program that is missing leaves it unsigned too, also of another format", async () => {
	for (const [format, why] of [
		["openpgp", /^gpg failed/],
		["ssh", /nowhere/],
	] as const) {
		const set = await place({
			...NAMED,
			"commit.gpgSign": "true",
			"gpg.format": format,
			"gpg.program": "/nowhere/gpg",
			"gpg.ssh.program": "/nowhere/ssh-keygen",
			"user.signingKey": "key::ssh-ed25519 AAAA",
		});
		expect(await set.written(ADA)).not.toContain("gpgsig");
		expect(set.told).toHaveLength(1);
		expect(set.told[0]).toMatch(why);
	}
});

test("nobody signs for another, and Sparring's own name is never signed", async () => {
	const set = await place({ ...NAMED, "commit.gpgSign": "true" });
	git(set.user, "config", "gpg.program", signer(set.home, SIGNS));
	expect(await set.written(GRACE)).not.toContain("gpgsig");
	expect(set.told).toEqual([expect.stringContaining("started by Grace <grace@example.org>")]);
	expect(await set.written(IDENTITY)).toContain("author Sparring <sparring@localhost>");
	expect(set.told).toHaveLength(1);
});

test.each(["false", "nonsense"])("commit.gpgSign %s signs nothing", async (value) => {
	const set = await place({ ...NAMED, "commit.gpgSign": value });
	expect(await set.written(ADA)).not.toContain("gpgsig");
	expect(set.told).toEqual([]);
});
