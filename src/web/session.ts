import { randomBytes, timingSafeEqual } from "node:crypto";

const CODE_MS = 60_000;

// 128 bits are not guessed, and 22 characters of base64url.
const RANDOM_BYTES = 16;

const secret = (): string => randomBytes(RANDOM_BYTES).toString("base64url");

function isEqual(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}

// A code stands in an address, which other programs of the user can read while the browser is opened: it is exchanged
// once, and soon, for a session's key that only the cookie holds.
export class Sessions {
	readonly #name: string;
	readonly #now: () => number;
	readonly #codes = new Map<string, number>();
	readonly #keys = new Set<string>();

	// Cookies are shared by all ports of a host, so that the name holds the port; `now` is a clock that is not set
	// back.
	constructor(port: number, now: () => number = () => performance.now()) {
		this.#name = `spar-${port}`;
		this.#now = now;
	}

	newCode(): string {
		const code = secret();
		this.#codes.set(code, this.#now() + CODE_MS);
		return code;
	}

	// null for a code that is unknown, used, or has ended.
	exchange(code: string): string | null {
		const found = [...this.#codes].find(([known]) => isEqual(known, code));
		if (found === undefined) return null;
		const [known, end] = found;
		this.#codes.delete(known);
		if (this.#now() >= end) return null;
		const key = secret();
		this.#keys.add(key);
		return `${this.#name}=${key}; Path=/; HttpOnly; SameSite=Strict`;
	}

	readonly isSession = (cookie: string): boolean =>
		cookie.split(";").some((pair) => {
			const [name, value = ""] = pair.trim().split(/=(.*)/s);
			return name === this.#name && [...this.#keys].some((key) => isEqual(key, value));
		});
}
