import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { replaceFile } from "../git/git-directory.ts";
import { attempt } from "../kernel/attempt.ts";
import { jsonIn } from "../kernel/fields.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { processStartTime } from "../store/process-identity.ts";

const LOOK_MS = 200;
const GIVEN = "given.json";

/** A process by its number and its start, since numbers come again. */
export const workerOf = (pid: number): string => `${pid} ${processStartTime(pid) ?? ""}`;

export const isAtWork = (worker: string): boolean =>
	/^\d+ \S/.test(worker) && worker === workerOf(Number.parseInt(worker, 10));

/** Folders of the checks under way that have this mark, the first of them first. */
async function marked(home: string, mark: string): Promise<readonly string[]> {
	const found: { readonly name: string; readonly at: bigint }[] = [];
	for (const name of await readdir(home)) {
		const path = join(home, name, mark);
		const worker = await readFile(path, "utf8").catch(() => "");
		if (!isAtWork(worker)) continue;
		const file = await stat(path, { bigint: true }).catch(() => null);
		if (file !== null) found.push({ name, at: file.mtimeNs });
	}
	const order = (a: (typeof found)[number], b: (typeof found)[number]): number =>
		a.at === b.at ? (a.name < b.name ? -1 : 1) : a.at < b.at ? -1 : 1;
	return found.sort(order).map(({ name }) => name);
}

interface OncePlace {
	/** Folder of all checks. */
	readonly home: string;
	/** That of this one in it, which goes with it. */
	readonly directory: string;
	readonly signal: AbortSignal;
	/** Told once where another one is first. */
	readonly onWait: () => void;
}

/** A turn at work that several processes want at the same time. */
interface Turn<Result> {
	/** Result of another process that was first; undefined: this one does the work. */
	readonly given: Result | undefined;
	/** Gives the result of this process to those that wait. */
	give(result: Result): Promise<void>;
}

/**
 * Waits for the turn at work that is done once where several processes want it at the same time: the first does it, and
 * gives its result to those that wait. Where it fails or is killed, the next one has the turn.
 *
 * @param what stands for the work: equal for equal work, as JSON
 * @throws the signal's reason
 */
export async function turnAtSame<Result>(
	what: unknown,
	{ home, directory, signal, onWait }: OncePlace,
): Promise<Turn<Result>> {
	const own = basename(directory);
	const mark = `of-${sha256(canonicalJson(what))}`;
	replaceFile(join(directory, mark), workerOf(process.pid));
	for (let looks = 0; ; looks += 1) {
		const [first = own] = await marked(home, mark);
		// Read after the look: who is first gives before it goes.
		const given = jsonIn(await readFile(join(directory, GIVEN), "utf8").catch(() => ""));
		// It is the result of equal work, which this program has written.
		if (given !== undefined) return { given: given as Result, give: () => Promise.resolve() };
		if (first === own) break;
		if (looks === 0) onWait();
		await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
		signal.throwIfAborted();
	}
	const give = async (result: Result): Promise<void> => {
		const text = JSON.stringify(result);
		// One that has gone needs it no more.
		for (const name of await marked(home, mark))
			if (name !== own) attempt(() => replaceFile(join(home, name, GIVEN), text), undefined);
	};
	return { given: undefined, give };
}
