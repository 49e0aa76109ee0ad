/** A text without its secrets. */
export type Mask = (text: string) => string;

/** What a process prints, without secrets. */
export interface MaskedOutput {
	/** Hands a text to a stream, in the order of the calls whichever stream each is for. */
	write(text: string, stream: (masked: string) => void): void;
	/** What masks, once it is there. */
	ready(): Promise<Mask>;
}

/**
 * The rim of a process towards its terminal. What masks is loaded with the first text; what is written before it is
 * there waits for it, and a process does not end before that.
 *
 * @param isOurs what is written while nothing was loaded holds no words but ours, such as a help text: it waits for
 * nothing
 */
export function maskedOutput(load: () => Promise<Mask>, isOurs = false): MaskedOutput {
	let mask: Mask | null = null;
	let loading: Promise<Mask> | null = null;
	const waiting: ((loaded: Mask) => void)[] = [];
	const ready = (): Promise<Mask> => {
		loading ??= load().then((loaded) => {
			mask = loaded;
			for (const write of waiting.splice(0)) write(loaded);
			return loaded;
		});
		return loading;
	};
	return {
		ready,
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
			// Unmasked nothing may be printed: a masker that cannot be had is a bug, and ends the process with its stack.
			void ready();
		},
	};
}
