import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { COMPILED } from "./program.ts";
import { runSmall } from "./small-process.ts";
import { copyTemplate } from "./template.ts";

/** What stands in a file; `null` removes it. A leading `#!` makes it executable. */
export type FileContent = string | Buffer | { readonly link: string } | null;

/** Paths relative to the top of the work tree. */
export type Files = Readonly<Record<string, FileContent>>;

/** A git repository of a test, with a home and a place for checkouts beside it. */
export interface TestRepository {
	/** Holds everything of the test; removed by `remove`. */
	readonly home: string;
	/** Top of the work tree, inside `home`. */
	readonly root: string;
	/** Environment of everything that the test starts here: nobody's git configuration, no secrets. */
	readonly env: Readonly<Record<string, string>>;
	/** Runs git in the work tree; throws when it fails. Output without its last newline. */
	git(...args: readonly string[]): string;
	/** Writes files into the work tree, without committing them. */
	write(files: Files): void;
	/** Commits everything in the work tree. Returns the commit's id. */
	commit(message: string): string;
	/** Text of a file of the work tree; undefined when there is none. */
	read(path: string): string | undefined;
	remove(): void;
}

function writeFiles(root: string, files: Files): void {
	for (const [path, content] of Object.entries(files)) {
		const full = join(root, path);
		rmSync(full, { recursive: true, force: true });
		if (content === null) continue;
		mkdirSync(dirname(full), { recursive: true });
		if (typeof content === "string" || Buffer.isBuffer(content)) {
			writeFileSync(full, content);
			if (content.toString().startsWith("#!")) chmodSync(full, 0o755);
		} else {
			symlinkSync(content.link, full);
		}
	}
}

function runGit(root: string, env: Readonly<Record<string, string>>, args: readonly string[]) {
	const { status, stdout, stderr } = runSmall("git", args, { cwd: root, env });
	if (status !== 0) throw new Error(`git ${args.join(" ")} exited with ${status}: ${stderr}`);
	return stdout.replace(/\n$/, "");
}

/** The same repository, of which somebody has moved the work tree. */
export function movedTo(repo: TestRepository, root: string): TestRepository {
	const git: TestRepository["git"] = (...args) => runGit(root, repo.env, args);
	return { ...repo, root, git, write: (files) => writeFiles(root, files) };
}

/**
 * A new repository with one commit that holds the files, branch `main` checked out.
 *
 * @param files of the first commit; none leaves the branch unborn
 * @param name of the work tree's folder, for tests with awkward names
 */
export function repository({
	files = {},
	name = "project",
}: {
	readonly files?: Files;
	readonly name?: string;
} = {}): TestRepository {
	const home = realpathSync(mkdtempSync(join(tmpdir(), "spar-test-")));
	const root = join(home, name);
	mkdirSync(root);
	const env = {
		// The Node.js of the tests comes first, so that agents and checks run on it too.
		PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
		HOME: home,
		LANG: "C.UTF-8",
		SPAR_CHECKOUTS: join(home, "checkouts"),
		GIT_CONFIG_NOSYSTEM: "1",
		// Each repository has a home of its own; what is compiled is the same for all.
		NODE_COMPILE_CACHE: COMPILED,
	};
	const repo: TestRepository = {
		home,
		root,
		env,
		git: (...args) => runGit(root, env, args),
		write: (more) => writeFiles(root, more),
		commit: (message) => {
			repo.git("add", "--all");
			// Its first line names the new commit, whole.
			const told = repo.git("-c", "core.abbrev=no", "commit", "--allow-empty", `-m${message}`);
			return / ([0-9a-f]{40,64})\] /.exec(told)?.[1] ?? repo.git("rev-parse", "HEAD");
		},
		read: (path) => {
			const full = join(root, path);
			return existsSync(full) ? readFileSync(full, "utf8") : undefined;
		},
		remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }),
	};
	copyTemplate("repository-2", root, (folder) => {
		runGit(folder, env, ["init", "--quiet", "--initial-branch=main", "--template="]);
		runGit(folder, env, ["config", "user.name", "Test"]);
		runGit(folder, env, ["config", "user.email", "test@example.invalid"]);
		// After each commit git would start a program that looks whether there is something to tidy up.
		runGit(folder, env, ["config", "maintenance.auto", "false"]);
	});
	if (Object.keys(files).length > 0) {
		repo.write(files);
		repo.commit("First");
	}
	return repo;
}
