import { keptAnswers } from "./kept-answers.ts";
import type { AnswerReading } from "./kept-children.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { failure, type GitPlace, type KeptQuery, runGit, runKept } from "./run-git.ts";

export interface GitObject {
	readonly oid: string;
	readonly type: string;
	readonly content: Buffer;
}

/**
 * Reads objects by ids, `<commit>^{tree}` or `<commit>:<path>`, in their order; undefined for one that there is not.
 */
export async function readObjects(
	place: GitPlace,
	names: readonly string[],
): Promise<(GitObject | undefined)[]> {
	// Who asks for nothing gets no answer.
	return names.length === 0 ? [] : await runKept(place, contentsOf(names));
}

export async function objectId(place: GitPlace, name: string): Promise<string | undefined> {
	const [oid] = await runKept(
		place,
		batch([name], "info", (header) => header?.oid),
	);
	return oid;
}

// Retryable when there is none: beside a `git gc` it may be there the next time.
export async function readObject(place: GitPlace, name: string): Promise<GitObject> {
	const query = contentsOf([name]);
	const [object] = await runKept(place, query);
	if (object !== undefined) return object;
	const stderr = `fatal: Not a valid object name ${name}`;
	throw failure(place, query, { exitCode: 128, stdout: Buffer.of(), stderr, truncated: false });
}

/**
 * Reads blobs, but none with which they would be more than `maxBytes` together; undefined for these, and for what is no blob.
 *
 * @param oids full ids
 */
export async function readBlobs(
	place: GitPlace,
	oids: readonly string[],
	maxBytes: number,
): Promise<(Buffer | undefined)[]> {
	const sizes = await objectSizes(place, oids);
	let left = maxBytes;
	const wanted = oids.filter((_oid, nth) => {
		const size = sizes[nth] ?? 0;
		if (size > left) return false;
		left -= size;
		return true;
	});
	const found = await readObjects(place, wanted);
	const read = new Map(wanted.map((oid, nth) => [oid, found[nth]]));
	return oids.map((oid) => {
		const object = read.get(oid);
		return object?.type === "blob" ? object.content : undefined;
	});
}

interface Header {
	readonly oid: string;
	readonly type: string;
	readonly size: number;
}

const HEADER = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/;

function headerIn(line: string): Header | undefined {
	const [, oid, type, size] = HEADER.exec(line) ?? [];
	if (oid === undefined || type === undefined) return undefined;
	return { oid, type, size: Number(size) };
}

function contentsOf(names: readonly string[]): KeptQuery<(GitObject | undefined)[]> {
	return batch(names, "contents", (header, content) =>
		header === undefined ? undefined : { oid: header.oid, type: header.type, content },
	);
}

/** Of objects in bytes, in the order of their names; undefined for one that there is not. */
export async function objectSizes(
	place: GitPlace,
	names: readonly string[],
): Promise<(number | undefined)[]> {
	return names.length === 0
		? []
		: await runKept(
				place,
				batch(names, "info", (header) => header?.size),
			);
}

function batch<T>(
	names: readonly string[],
	verb: "contents" | "info",
	answerOf: (header: Header | undefined, content: Buffer) => T,
): KeptQuery<T[]> {
	if (names.some((name) => name.includes("\n"))) throw new Error("a name has a line end");
	const answers: T[] = [];
	return {
		args: ["cat-file", "--batch-command"],
		input: names.map((name) => `${verb} ${name}\n`).join(""),
		repeatable: true,
		read: (bytes): AnswerReading<T[]> => {
			let at = 0;
			while (answers.length < names.length) {
				const lineEnd = bytes.indexOf("\n", at);
				if (lineEnd === -1) return { used: at, atLeast: bytes.length - at + 1 };
				const header = headerIn(bytes.toString("latin1", at, lineEnd));
				const start = lineEnd + 1;
				const hasContent = verb === "contents" && header !== undefined;
				const end = hasContent ? start + header.size + 1 : start;
				if (bytes.length < end) return { used: at, atLeast: end - at };
				// A copy, so that an answer does not keep all that came with it.
				const content = Buffer.from(bytes.subarray(start, hasContent ? end - 1 : end));
				answers.push(answerOf(header, content));
				at = end;
			}
			return { answer: answers };
		},
	};
}

const MOST_BYTES = 2_000_000;

const listings = keptAnswers<Buffer>(
	20,
	({ length }) => length <= MOST_BYTES,
	({ repository }) => repository,
);

/** All files of a commit as `git ls-tree -r -z` writes them; git is asked once in a process. */
export function treeListing(
	repository: Repository,
	commit: string,
	place: GitPlace = repositoryPlace(repository),
): Promise<Buffer> {
	const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
	return listings.of({ repository }, [commit], "", () =>
		runGit(place, { args, parse: ({ stdout }) => stdout }),
	);
}
