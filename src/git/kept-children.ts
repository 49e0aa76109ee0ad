import {
	type KeptChild,
	type KeptProcess,
	type KeptRequest,
	startKept,
	type Told,
} from "./kept-child.ts";

/** Programs that stay, so that a question costs a line on a pipe and not a process. */
export interface KeptChildren {
	/**
	 * Asks the program of exactly this kind, which is started where there is none. Requests to the same program wait for each
	 * other.
	 *
	 * @throws what `KeptProcess.ask` throws
	 */
	ask<T>(child: KeptChild, request: KeptRequest<T>): Promise<Told<T>>;
	/** From now on, programs that do not answer soon are ended. For those that no signal ends, when the run is to stop. */
	hurry(): void;
	/** Ends the programs once they have answered. A later request starts one for itself alone. */
	end(): Promise<void>;
}

// What a program remembers, such as the time of a reflog's entry, is never older.
const MAX_AGE_MS = 60_000;

/** Starts nothing until it is asked. */
export function keepChildren(maxAgeMs: number = MAX_AGE_MS): KeptChildren {
	const lines = new Map<string, Line>();
	let [isEnded, isHurried] = [false, false];
	return {
		ask: async (child, request) => {
			const key = JSON.stringify([child.program, child.args, child.cwd, child.env]);
			const line = lines.get(key) ?? openLine(maxAgeMs);
			lines.set(key, line);
			if (isHurried) line.hurry();
			const told = await line.ask(child, request);
			if (isEnded) await line.end();
			return told;
		},
		hurry: () => {
			isHurried = true;
			for (const line of lines.values()) line.hurry();
		},
		end: async () => {
			isEnded = true;
			await Promise.all([...lines.values()].map((line) => line.end()));
		},
	};
}

interface Line {
	ask<T>(child: KeptChild, request: KeptRequest<T>): Promise<Told<T>>;
	hurry(): void;
	end(): Promise<void>;
}

function openLine(maxAgeMs: number): Line {
	let current: { readonly process: KeptProcess; readonly signal: AbortSignal | undefined } | null =
		null;
	let age: NodeJS.Timeout | undefined;
	let isHurried = false;
	let last: Promise<unknown> = Promise.resolve();
	const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
		const turn = last.then(work);
		last = turn.catch(() => undefined);
		return turn;
	};
	const endCurrent = async (): Promise<void> => {
		clearTimeout(age);
		const ending = current;
		current = null;
		await ending?.process.end();
	};
	const end = (): Promise<void> => inTurn(endCurrent);
	const processFor = async (child: KeptChild): Promise<KeptProcess> => {
		if (current !== null && !current.process.isOver() && current.signal === child.signal)
			return current.process;
		// One that another signal ends is of no use to this caller.
		await endCurrent();
		child.signal?.throwIfAborted();
		const process = startKept(child);
		current = { process, signal: child.signal };
		age = setTimeout(() => void end(), maxAgeMs).unref();
		return process;
	};
	const askOne = async <T>(child: KeptChild, request: KeptRequest<T>): Promise<Told<T>> => {
		child.signal?.throwIfAborted();
		const process = await processFor(child);
		if (isHurried) process.hurry();
		return await process.ask(request);
	};
	return {
		ask: (child, request) =>
			inTurn(async () => {
				const wasThere = current;
				const told = await askOne(child, request);
				// It had ended before it was asked, and nobody had noticed.
				const isSilent = wasThere?.process.isOver() === true && isWordless(told);
				return isSilent && request.repeatable === true ? await askOne(child, request) : told;
			}),
		hurry: () => {
			isHurried = true;
			current?.process.hurry();
		},
		end,
	};
}

// A request of which a part was read cannot be asked again.
function isWordless(told: Told<unknown>): boolean {
	if ("answer" in told) return false;
	const { exitCode, truncated, timedOut } = told.end;
	return exitCode === -1 && told.bytesHeard === 0 && !truncated && !timedOut;
}
