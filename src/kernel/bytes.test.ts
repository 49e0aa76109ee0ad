import { expect, test } from "vitest";
import { formatBytes } from "./bytes.ts";

test("bytes are shown in the largest unit that leaves at least one of it", () => {
	expect(formatBytes(0)).toBe("0 bytes");
	expect(formatBytes(1_023)).toBe("1023 bytes");
	expect(formatBytes(1_024)).toBe("1 KiB");
	expect(formatBytes(1_536 * 1_024 ** 2)).toBe("1.5 GiB");
	expect(formatBytes(2_048 * 1_024 ** 6)).toBe("2048 EiB");
});
