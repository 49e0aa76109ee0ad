import { mkdir, readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { isRunning } from "../drive/leftovers.ts";
import { type Checkout, openCheckout } from "../git/checkout.ts";
import { removeTree } from "../git/file-tree.ts";
import { keepChildren } from "../git/kept-children.ts";
import { openRepository, type Repository, withOwnObjects } from "../git/repository.ts";
import { userIgnores } from "../git/user-ignores.ts";
import { openVault, type Vault } from "../git/vault.ts";
import type { JudgingStep } from "../judge/ports.ts";
import { systemClock } from "../kernel/clock.ts";
import { randomId } from "../kernel/ids.ts";
import { homeOutside } from "../places/checkouts-home.ts";
import { checkoutDirectory, gitHost, type Places } from "../places/places.ts";
import { endMarked } from "../process/process-tree.ts";
import { requireTemporary } from "../process/temporary.ts";
import { removeLeftTemporaries } from "../setups/own-temporary.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { CheckAllowance } from "./check-allowance.ts";
import type { WorkReview } from "./check-report.ts";
import { CheckWatch } from "./check-time.ts";
import type { Subject, SubjectRequest } from "./subject.ts";

/** Work to check, and by what. */
export interface CheckOptions extends SubjectRequest {
	/** Command that runs the tests, instead of those of the workflow file. */
	readonly command?: string | undefined;
	/** Command that makes a checkout ready, instead of those that would; false: none does. */
	readonly setup?: string | false | undefined;
	/** Judges tests by the exit code of their command alone, whatever it prints. */
	readonly exitCode?: boolean | undefined;
	/** Limit of one run of a check, in milliseconds, instead of that of the workflow file. */
	readonly timeoutMs?: number | undefined;
	readonly allow?: readonly CheckAllowance[] | undefined;
	/** Keeps the allowances for this very work: of a person at a terminal. */
	readonly keepAllowed?: boolean | undefined;
	/** Goes on where tests of the base pass in the user's surroundings alone. */
	readonly anyway?: boolean | undefined;
	/** Runs nothing, and judges by the trees alone. */
	readonly quick?: boolean | undefined;
	/** The task in words: values in it are no secrets of the tests. */
	readonly task?: string | undefined;
	/** Agent of the workflow, or a coding agent, that looks for what is wrong. */
	readonly coach?: string | undefined;
	/** Likewise, one that writes tests of its own. */
	readonly verifier?: string | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly onNotice?: ((text: string) => void) | undefined;
	/** Told of each step as it begins, which is else a notice. */
	readonly onStep?: ((step: JudgingStep) => void) | undefined;
}

export interface CheckPlace {
	readonly directory: string;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Agents that the calling program serves, by name. */
	readonly values: Readonly<Record<string, unknown>>;
	/** Has agents review work that no check and no comparison is against; left out: nobody reviews. */
	readonly review?: (work: ReviewedWork) => Promise<WorkReview>;
}

/** Work that agents review. */
export interface ReviewedWork extends Pick<Subject, "base" | "commit"> {
	readonly workflow: Workflow;
	readonly repository: Repository;
	/** Titles and texts of its commits. */
	readonly message: string;
	/** Absolute directory that goes with the check. */
	readonly directory: string;
}

/** Name of the one task of a check. */
export const TASK = "check";

/** A check while it works: its own directory, and the vault through which it reads. */
export interface Bench extends Omit<CheckPlace, "directory"> {
	readonly options: CheckOptions;
	readonly runId: string;
	/** Directory of all checks of the repository. */
	readonly home: string;
	readonly directory: string;
	/** The user's folder below the root; empty at the root. */
	readonly below: string;
	readonly vault: Vault;
	readonly signal: AbortSignal;
	readonly watch: CheckWatch;
}

/** A bench that is open; once it is closed, nothing is left of it. */
export interface OpenBench extends Bench {
	close(): Promise<void>;
}

/** Opens a bench of its own for some work. */
export async function openBench(options: CheckOptions, place: CheckPlace): Promise<OpenBench> {
	const watch = new CheckWatch(systemClock);
	await requireTemporary();
	const { env, places } = place;
	const opened = await openRepository(place.directory, gitHost(env));
	const home = await homeOutside(places);
	await removeLeft(home);
	// Also marks its processes.
	const runId = `check-${process.pid}-${randomId(8)}`;
	const directory = join(home, runId);
	const kept = keepChildren();
	const signal = options.signal ?? new AbortController().signal;
	const below = relative(opened.root, await realpath(place.directory));
	const close = async (): Promise<void> => {
		await kept.end();
		await endMarked(`${runId}:`);
		await removeLeftTemporaries(directory);
		await removeTree(directory);
	};
	try {
		await mkdir(join(directory, TASK), { recursive: true });
		const repository = { ...withOwnObjects(opened, directory), kept };
		const ignoreRules = (await userIgnores(repository)).rules;
		const mark = `${runId}:git`;
		const vault = await openVault(repository, directory, { ignoreRules, signal, mark, kept });
		return { ...place, options, runId, home, directory, below, vault, signal, watch, close };
	} catch (error) {
		await close();
		throw error;
	}
}

// Of a check that was killed.
async function removeLeft(home: string): Promise<void> {
	for (const name of await readdir(home)) {
		const pid = /^check-(\d+)-[0-9a-z]+$/.exec(name)?.[1];
		if (pid === undefined || isRunning(Number(pid))) continue;
		await endMarked(`${name}:`);
		await removeLeftTemporaries(join(home, name));
		await removeTree(join(home, name));
	}
}

/** A checkout of a check, by its name. */
export const checkoutAt = ({ directory, vault, places }: Bench, name: string): Checkout => {
	const work = join(directory, TASK);
	const dir = checkoutDirectory(places, work, name);
	return openCheckout(vault, { dir, indexFile: join(work, `index-${name}`) });
};
