import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSparring } from "../../src/library/open-sparring.ts";
import { placesOf } from "../../src/places/places.ts";
import { ScreenGround } from "../../src/web/screens/ground.ts";
import { groundScreens } from "../../src/web/screens/ground-screens.ts";
import { serve } from "../../src/web/serve.ts";
import { PROGRAM } from "./program.ts";
import type { TestRepository } from "./repository.ts";

/** An answer of the server. */
export interface Reply {
	readonly status: number;
	readonly text: string;
	/** The text as JSON. */
	readonly json: () => unknown;
}

/** A page that is logged in. */
export interface Page {
	readonly get: (path: string) => Promise<Reply>;
	readonly post: (path: string, body: unknown) => Promise<Reply>;
	/** Opens a stream behind an event, until it is left or the server ends. */
	readonly stream: (after: number, query?: string) => EventIds;
}

/** What comes of a stream. */
export interface EventIds {
	/** Of its events, as they come. */
	readonly ids: readonly number[];
	/** Names of its other messages, likewise. */
	readonly names: readonly string[];
	readonly leave: () => void;
	/** Resolves once it is over, whatever ended it. */
	readonly over: Promise<void>;
}

/** A dashboard that is served in this process. */
export interface TestDashboard {
	readonly address: string;
	readonly logIn: () => Promise<Page>;
	/** Bugs that requests met. */
	readonly bugs: readonly unknown[];
	readonly close: () => Promise<void>;
}

/** Serves the dashboard of a repository, with a page that is empty. */
export async function openTestDashboard(
	repo: TestRepository,
	{
		env = {},
		port = 0,
	}: { readonly env?: Readonly<Record<string, string>>; readonly port?: number } = {},
): Promise<TestDashboard> {
	const pageDirectory = mkdtempSync(join(tmpdir(), "spar-page-"));
	writeFileSync(join(pageDirectory, "index.html"), "<!doctype html>");
	const directory = realpathSync(repo.root);
	const own = { ...repo.env, ...env };
	const sparring = await openSparring({ directory, env: own });
	const ground = new ScreenGround(sparring, placesOf(sparring.root, own), own);
	const screens = groundScreens(ground, { version: "0", program: [process.execPath, PROGRAM] });
	const bugs: unknown[] = [];
	const onBug = (error: unknown): void => void bugs.push(error);
	const served = await serve(screens, { port, pageDirectory, onBug });
	return {
		address: served.address,
		bugs,
		logIn: async () => {
			const url = new URL(served.newUrl());
			const page = pageOf(url.origin, "");
			const { headers } = await page.request("/api/session", {
				code: url.hash.slice("#code=".length),
			});
			return pageOf(url.origin, headers.get("set-cookie")?.split(";")[0] ?? "");
		},
		close: async () => {
			await served.close();
			await ground.close();
			rmSync(pageDirectory, { recursive: true });
		},
	};
}

function pageOf(origin: string, cookie: string) {
	const request = (path: string, body?: unknown, signal: AbortSignal | null = null) =>
		body === undefined
			? fetch(`${origin}${path}`, { headers: { cookie }, signal })
			: fetch(`${origin}${path}`, {
					method: "POST",
					headers: { cookie, origin, "content-type": "application/json" },
					body: JSON.stringify(body),
				});
	const reply = async (path: string, body?: unknown): Promise<Reply> => {
		const answer = await request(path, body);
		const text = await answer.text();
		return { status: answer.status, text, json: () => JSON.parse(text) as unknown };
	};
	return {
		request,
		get: (path: string) => reply(path),
		post: (path: string, body: unknown) => reply(path, body),
		stream: (after: number, query = "") =>
			eventIds((signal) => request(`/api/stream?after=${after}${query}`, undefined, signal)),
	};
}

function eventIds(open: (signal: AbortSignal) => Promise<Response>): EventIds {
	const left = new AbortController();
	const ids: number[] = [];
	const names: string[] = [];
	const take = (frame: string): void => {
		const [, id] = /^id: (\d+)$/m.exec(frame) ?? [];
		const [, name] = /^event: (.+)$/m.exec(frame) ?? [];
		if (id !== undefined) ids.push(Number(id));
		if (name !== undefined) names.push(name);
	};
	const read = async (): Promise<void> => {
		const { body } = await open(left.signal);
		let rest = "";
		const decoder = new TextDecoder();
		const chunks: AsyncIterable<Uint8Array> | undefined = body ?? undefined;
		for await (const chunk of chunks ?? []) {
			const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
			rest = frames.pop() ?? "";
			for (const frame of frames) take(frame);
		}
	};
	// A server that ends, and a stream that is left, end the reading with an error.
	return { ids, names, leave: () => left.abort(), over: read().catch(() => undefined) };
}
