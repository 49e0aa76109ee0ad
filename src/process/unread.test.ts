import { expect, test } from "vitest";
import { Unread } from "./unread.ts";

test("there is room up to the limit, and again once enough was read, as often as that happens", async () => {
	const unread = new Unread(10);
	for (const _round of [1, 2]) {
		unread.sent(10);
		expect(unread.pressure()).toBeNull();
		unread.sent(5);
		const room = unread.pressure();
		expect(room).not.toBeNull();
		let isOpen = false;
		const opened = room?.then(() => {
			isOpen = true;
		});
		unread.read(4);
		await Promise.resolve();
		expect(isOpen).toBe(false);
		unread.read(11);
		await opened;
		expect(unread.pressure()).toBeNull();
	}
});
