import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openCheckout } from "../git/checkout.ts";
import { keepChildren } from "../git/kept-children.ts";
import { openRepository } from "../git/repository.ts";
import { commitAll, git, writeFiles } from "../git/scratch.fixture.ts";
import { commitAsUser } from "../git/user-commit.ts";
import { openVault } from "../git/vault.ts";
import { commitEdits, type TreeEdit, writeText } from "../git/write-tree.ts";
import { noMasker } from "../masking/masking.ts";
import { type CommitsUnderTest, commitsContract } from "./commits.contract.ts";
import { commitsOf } from "./commits.ts";
import type { Ground } from "./context.ts";
import { GitOfMaps, type WrittenFiles } from "./git-of-maps.fixture.ts";
import { MapCheckout, mapCommits, mapRefs } from "./map-commits.fixture.ts";
import { refsContract } from "./refs.contract.ts";
import { aLog, scene, theFacts } from "./scene.contract.ts";

const ground = { ...theFacts(), masker: noMasker, log: aLog(2), read: scene().input.read };

const plain = (files: WrittenFiles) =>
	Object.entries(files).map(([path, file]) =>
		file === null || typeof file === "string"
			? { path, text: file, mode: "100644" }
			: { path, ...file },
	);

async function inGit(): Promise<CommitsUnderTest> {
	const home = mkdtempSync(join(tmpdir(), "spar-commits-"));
	const user = join(home, "user");
	mkdirSync(user);
	git(user, "init", "-q");
	writeFiles(user, { "a.txt": "a\n" });
	commitAll(user, "first");
	const kept = keepChildren();
	const vault = await openVault(await openRepository(user), home, { kept });
	const player = openCheckout(vault, {
		dir: join(home, "checkout"),
		indexFile: join(home, "index"),
	});
	const by = ground.run.identity;
	const commits = commitsOf(
		{
			...ground,
			vault,
			places: { player },
			commitAsUser: (commit: Parameters<Ground["commitAsUser"]>[0]) =>
				commitAsUser(vault, commit, {
					by,
					env: {},
					isSigned: async () => false,
					onUnsigned: () => undefined,
				}),
		} as unknown as Ground, // Commits ask for no other part of it.
		ground.task,
	);
	const show = (format: string, commit: string) =>
		git(user, "show", "-s", `--format=${format}`, commit);
	return {
		commits,
		commit: async (files, parents = []) => {
			const edits: TreeEdit[] = [];
			for (const { path, text, mode } of plain(files))
				edits.push({ kind: "put", path, mode, oid: await writeText(vault, text ?? "") });
			const { commit } = await commitEdits(vault, {
				of: null,
				edits,
				parents,
				message: "written\n",
				at: 0,
			});
			return commit;
		},
		stand: async (commit) => {
			await player.forceTo(commit);
			return (await player.id()) ?? "";
		},
		write: async (files) => {
			for (const { path, text } of plain(files)) {
				if (text === null) rmSync(join(player.dir, path));
				else {
					mkdirSync(dirname(join(player.dir, path)), { recursive: true });
					writeFiles(player.dir, { [path]: text });
				}
			}
		},
		message: async (commit) => `${show("%B", commit).trimEnd()}\n`,
		parents: async (commit) => show("%P", commit).split(" "),
		close: async () => {
			await kept.end();
			rmSync(home, { recursive: true });
		},
	};
}

async function inMaps(): Promise<CommitsUnderTest> {
	const maps = new GitOfMaps();
	const player = new MapCheckout(maps, "/player");
	return {
		commits: mapCommits({ ...ground, places: { player } }, ground.task, maps),
		commit: async (files, parents) => maps.commit(files, parents),
		stand: async (commit) => {
			await player.forceTo(commit);
			return (await player.id()) ?? "";
		},
		write: async (files) => player.write(files),
		message: async (commit) => maps.at(commit).message,
		parents: async (commit) => maps.at(commit).parents,
		close: async () => undefined,
	};
}

commitsContract("git", inGit);
commitsContract("maps", inMaps);

const BRANCH = "sparring/r1/limiter";
const INTEGRATION = "sparring/r1/integration";

refsContract("maps", async () => {
	const maps = new GitOfMaps();
	const prefix = "kept/";
	return {
		refs: mapRefs(maps, { branch: BRANCH, integration: INTEGRATION, prefix }),
		commit: async (subject) => maps.commit({ subject }),
		branch: async () => maps.refs.get(BRANCH) ?? null,
		kept: async (label) => maps.refs.get(`${prefix}${label}`) ?? null,
		place: async (commit) => void maps.refs.set(INTEGRATION, commit),
		close: async () => undefined,
	};
});
