import { signal } from "@preact/signals";
import type { Session } from "../../src/web/protocol.ts";
import { api, get, post, type Refusal } from "./api.ts";

export const session = signal<Session | null>(null);

export const sessionRefusal = signal<Refusal | null>(null);

/** True while a code is exchanged: until then nothing else would be answered. */
export const isOpening = signal(false);

export function codeOf(fragment: string): string | null {
	const code = new URLSearchParams(fragment.replace(/^#/, "")).get("code");
	return code === null || code === "" ? null : code;
}

/**
 * Takes the one-time code out of the address, at once and before anything else, so that it is neither kept in the history
 * nor copied along; then exchanges it for the session's cookie. Without a code the cookie of before counts.
 */
export async function openSession(): Promise<void> {
	const code = codeOf(location.hash);
	if (code !== null) history.replaceState(null, "", location.pathname);
	isOpening.value = code !== null;
	const reply =
		code === null
			? await get<Session>(api("session"))
			: await post<Session>(api("session"), { code });
	if (reply.ok) session.value = reply.value;
	else sessionRefusal.value = reply.refusal;
	isOpening.value = false;
}
