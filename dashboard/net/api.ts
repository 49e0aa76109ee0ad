import { signal } from "@preact/signals";
import type { Problem } from "../../src/web/protocol.ts";

/** Set once the server no longer knows this page: it was started again, or the code was used elsewhere. */
export const sessionEnded = signal(false);

export interface Refusal {
	/** The status of the reply; 0: there was none. */
	readonly status: number;
	readonly problem: Problem["error"];
	/** The whole body, which may say more, such as the state that is there now. */
	readonly body: unknown;
}

export type Reply<Value> =
	| { readonly ok: true; readonly value: Value }
	| { readonly ok: false; readonly refusal: Refusal };

const UNREACHABLE: Problem["error"] = {
	code: "unreachable",
	message: "The server of this page cannot be reached.",
	hint: "Start it again with spar ui, and open the address that it prints.",
};

const UNREADABLE: Problem["error"] = {
	code: "unreadable",
	message: "The server's reply cannot be read.",
	hint: "Reload the page.",
};

function problemOf(body: unknown): Problem["error"] {
	const isProblem = typeof body === "object" && body !== null && "error" in body;
	// The server's own replies are of the protocol's types; `isProblem` tells them from a proxy's page.
	return isProblem ? (body as Problem).error : UNREADABLE;
}

function refusalOf(status: number, text: string): Refusal {
	if (status === 401) sessionEnded.value = true;
	try {
		const body: unknown = JSON.parse(text);
		return { status, problem: problemOf(body), body };
	} catch {
		return { status, problem: UNREADABLE, body: null };
	}
}

/**
 * Characters that turn the direction of the text around them. They let a line read as another one than it is, so they are
 * shown by their number. See Unicode Standard Annex 9, and CVE-2021-42574.
 */
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export const steady = (text: string): string =>
	text.replace(
		TURNING,
		(character) =>
			`\u27E8U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27E9`,
	);

async function request(path: string, options: RequestInit): Promise<Reply<string>> {
	try {
		const response = await fetch(path, { ...options, credentials: "same-origin" });
		// JSON names these characters as they are, so that its texts are reached here too.
		const value = steady(await response.text());
		return response.ok
			? { ok: true, value }
			: { ok: false, refusal: refusalOf(response.status, value) };
	} catch {
		return { ok: false, refusal: { status: 0, problem: UNREACHABLE, body: null } };
	}
}

async function json<Value>(path: string, options: RequestInit): Promise<Reply<Value>> {
	const reply = await request(path, options);
	// What the server sends is of the type that the protocol's table names; both are built together.
	return reply.ok ? { ok: true, value: JSON.parse(reply.value) as Value } : reply;
}

export function get<Value>(path: string): Promise<Reply<Value>> {
	return json<Value>(path, {});
}

export function getText(path: string): Promise<Reply<string>> {
	return request(path, {});
}

export function post<Value>(path: string, body: object): Promise<Reply<Value>> {
	return json<Value>(path, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
}

export function api(...parts: readonly string[]): string {
	return `/api/${parts.map(encodeURIComponent).join("/")}`;
}
