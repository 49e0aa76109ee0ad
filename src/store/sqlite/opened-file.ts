import { statSync } from "node:fs";
import { monotonicNow } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";

/** How long a look at the file's path is believed, in ms: a commit must not cost a look each time. */
const BELIEVED_MS = 200;

/**
 * The file that a connection opened, to be found again at its path: SQLite goes on writing into a file that was deleted
 * or replaced, and every commit seems to succeed.
 */
export interface OpenedFile {
	/** False for what is no file, such as `:memory:`. */
	readonly isFile: boolean;
	/**
	 * Looks whether the path still leads to the file that was opened, at most every 200 ms.
	 *
	 * @throws Fault `state-lost`
	 */
	look(): void;
	/** Looks now. @throws Fault `state-lost` */
	require(): void;
}

/** Remembers a file that was just opened; one that is not a file, such as `:memory:`, is never lost. */
export function openedFile(path: string): OpenedFile {
	const opened = identityOf(path);
	let lookedAt = monotonicNow();
	const opening: OpenedFile = {
		isFile: opened !== undefined,
		look: () => {
			if (monotonicNow() - lookedAt >= BELIEVED_MS) opening.require();
		},
		require: () => {
			const now = opened === undefined ? undefined : identityOf(path);
			// What is lost stays lost: the next look does not believe this one.
			if (now !== opened) throw stateLost(path, now === undefined ? "deleted" : "replaced");
			lookedAt = monotonicNow();
		},
	};
	return opening;
}

function identityOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

function stateLost(path: string, how: "deleted" | "replaced"): Fault {
	return new Fault(
		`the state database ${path} was ${how} while it was open; what was written since is lost`,
		{
			code: "state-lost",
			hint: "The branches of its runs are still in the repository: see `git branch --list 'sparring/*'`. Start again with `spar run`.",
		},
	);
}
