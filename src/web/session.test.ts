import { expect, test } from "vitest";
import { Sessions } from "./session.ts";

function sessions(): { readonly open: Sessions; readonly wait: (ms: number) => void } {
	let now = 1_000;
	return {
		open: new Sessions(7700, () => now),
		wait: (ms) => {
			now += ms;
		},
	};
}

/** What a browser sends back. */
const cookieOf = (header: string | null): string => header?.split(";")[0] ?? "";

test("a code of at least 16 characters is exchanged once for a cookie that scripts and other pages do not get", () => {
	const { open } = sessions();
	const code = open.newCode();
	expect(code).toMatch(/^[\w-]{16,}$/);
	const header = open.exchange(code);
	expect(header).toMatch(/^spar-7700=[\w-]{16,}; Path=\/; HttpOnly; SameSite=Strict$/);
	expect(open.isSession(cookieOf(header))).toBe(true);
	expect(open.exchange(code)).toBeNull();
});

test("a code ends after 60 seconds, and a wrong one ends no other", () => {
	const { open, wait } = sessions();
	const [first, second] = [open.newCode(), open.newCode()];
	expect(open.exchange("wrong")).toBeNull();
	expect(open.exchange("")).toBeNull();
	wait(59_999);
	expect(open.exchange(first)).not.toBeNull();
	wait(1);
	expect(open.exchange(second)).toBeNull();
});

test("a session is found among other cookies, and no other value is one", () => {
	const { open } = sessions();
	const cookie = cookieOf(open.exchange(open.newCode()));
	expect(open.isSession(`theme=dark; ${cookie}; x`)).toBe(true);
	for (const other of ["", "spar-7700", "spar-7700=", `${cookie}x`, cookie.replace("7700", "7701")])
		expect(open.isSession(other)).toBe(false);
});

test("two sessions of one server both hold, and another server knows neither", () => {
	const { open } = sessions();
	const one = cookieOf(open.exchange(open.newCode()));
	const two = cookieOf(open.exchange(open.newCode()));
	expect([one, two].map(open.isSession)).toEqual([true, true]);
	expect([one, two].map(new Sessions(7700).isSession)).toEqual([false, false]);
});
