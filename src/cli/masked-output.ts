export type Mask = (text: string) => string;

export interface MaskedOutput {
	// In the order of the calls, whichever stream each is for.
	write(text: string, stream: (masked: string) => void): void;
	ready(): Promise<Mask>;
	// From now on masks with this too, after what masked until now.
	learn(mask: Mask): void;
	// Resolves once no text waits for what masks: it is there, or cannot be had.
	flushed(): Promise<void>;
}

export interface MaskedOutputOptions {
	// Help and version hold no words but ours: they wait for nothing.
	readonly isOurs?: boolean;
	// Told once: nothing is printed unmasked, so that some texts are missing.
	readonly onFailure: (error: unknown) => void;
}

// Texts go on waiting if loading fails, and the next text or `ready` loads once more, so that none is lost by a failure
// that passes.
export function maskedOutput(
	load: () => Promise<Mask>,
	{ isOurs = false, onFailure }: MaskedOutputOptions,
): MaskedOutput {
	let mask: Mask | null = null;
	let loading: Promise<Mask> | null = null;
	const learned: Mask[] = [];
	const waiting: ((loaded: Mask) => void)[] = [];
	const all: Mask = (text) => learned.reduce((masked, also) => also(masked), text);
	let failed = false;
	const fail = (error: unknown): void => {
		if (!failed) onFailure(error);
		failed = true;
	};
	const begin = async (): Promise<Mask> => {
		let made: Mask;
		try {
			// Not at once: a failure must come after `loading` is set.
			const loaded = await Promise.resolve().then(load);
			made = (text) => all(loaded(text));
		} catch (error) {
			loading = null;
			fail(error);
			throw error;
		}
		mask = made;
		for (const write of waiting.splice(0)) {
			try {
				write(made);
			} catch (error) {
				fail(error);
			}
		}
		return made;
	};
	const ready = (): Promise<Mask> => {
		loading ??= begin();
		return loading;
	};
	return {
		ready,
		learn: (also) => {
			learned.push(also);
		},
		flushed: async () => {
			if (waiting.length > 0) await ready().catch(() => undefined);
		},
		write: (text, stream) => {
			if (mask !== null) {
				stream(mask(text));
				return;
			}
			if (isOurs && loading === null) {
				stream(text);
				return;
			}
			waiting.push((loaded) => stream(loaded(text)));
			// `onFailure` reports it; a caller that only writes cannot do anything about it.
			ready().catch(() => undefined);
		},
	};
}
