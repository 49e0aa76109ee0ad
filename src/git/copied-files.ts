import { constants, readFileSync } from "node:fs";
import {
	chmod,
	copyFile,
	lstat,
	mkdir,
	readFile,
	rename,
	rmdir,
	stat,
	writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { kindOf, removeTree } from "./file-tree.ts";

/** Ignored files of the user's checkout that every checkout of a run gets, as they were when the run started. */
export interface CopiedFiles {
	/** Absolute directory of the copies, each under its number in `files`. */
	readonly dir: string;
	readonly files: readonly CopiedFile[];
	/** SHA-256 of paths, modes and contents. */
	readonly digest: string;
}

interface CopiedFile {
	readonly path: string;
	readonly mode: number;
}

const FOLDER = "copied";
const LIST = "list.json";

/** Copies that a run keeps in its directory; null where it copies nothing. */
export function copiedFiles(runDirectory: string): CopiedFiles | null {
	const dir = join(runDirectory, FOLDER);
	try {
		// Written by `keepCopies`, and put in place as a whole.
		const list = JSON.parse(readFileSync(join(dir, LIST), "utf8")) as Omit<CopiedFiles, "dir">;
		return { ...list, dir };
	} catch {
		return null;
	}
}

/** Keeps files of the user's checkout in a run's directory, readable for nobody else. Links are followed. */
export async function keepCopies(
	root: string,
	paths: readonly string[],
	runDirectory: string,
): Promise<CopiedFiles> {
	const dir = join(runDirectory, FOLDER);
	const aside = `${dir}.new`;
	await removeTree(aside);
	await mkdir(aside, { recursive: true, mode: 0o700 });
	const files: CopiedFile[] = [];
	const digests: string[] = [];
	for (const [index, path] of paths.entries()) {
		const content = await readFile(join(root, path));
		const { mode } = await stat(join(root, path));
		await writeFile(join(aside, String(index)), content, { mode: 0o600 });
		files.push({ path, mode: (mode & 0o100) === 0 ? 0o600 : 0o700 });
		digests.push(sha256(content));
	}
	const digest = sha256(canonicalJson({ files, digests }));
	await writeFile(join(aside, LIST), JSON.stringify({ files, digest }), { mode: 0o600 });
	await removeTree(dir);
	await rename(aside, dir);
	return { dir, files, digest };
}

export class CheckoutCopies {
	readonly #written = new Map<string, string>();
	readonly #copied: CopiedFiles;
	readonly #root: string;

	constructor(copied: CopiedFiles | null, root: string) {
		this.#copied = copied ?? { dir: "", files: [], digest: "" };
		this.#root = root;
	}

	async put(): Promise<void> {
		for (const [index, { path, mode }] of this.#copied.files.entries()) {
			const target = join(this.#root, path);
			const written = this.#written.get(path);
			if (written !== undefined && written === (await standingOf(target))) continue;
			// Never written through a link that leads elsewhere, nor over a file of the commit.
			if (!this.#isReachable(path)) continue;
			await removeTree(target);
			await mkdir(dirname(target), { recursive: true });
			await copyFile(join(this.#copied.dir, String(index)), target, constants.COPYFILE_FICLONE);
			await chmod(target, mode);
			this.#written.set(path, (await standingOf(target)) ?? "");
		}
	}

	/** Takes them out, with the folders that they leave empty. */
	async remove(): Promise<void> {
		for (const { path } of this.#copied.files) {
			if (!this.#isReachable(path)) continue;
			await removeTree(join(this.#root, path));
			for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
				const isRemoved = await rmdir(join(this.#root, folder)).then(
					() => true,
					() => false,
				);
				if (!isRemoved) break;
			}
		}
	}

	#isReachable(path: string): boolean {
		const parts = path.split("/").slice(0, -1);
		return parts.every((_part, index) => {
			const kind = kindOf(join(this.#root, ...parts.slice(0, index + 1)));
			return kind === "directory" || kind === "none";
		});
	}
}

// The time of the last change of any kind cannot be set, so a file that was edited shows itself.
async function standingOf(path: string): Promise<string | null> {
	const found = await lstat(path, { bigint: true }).catch(() => null);
	if (found?.isFile() !== true) return null;
	return [found.ino, found.size, found.mode, found.mtimeNs, found.ctimeNs].join(" ");
}
