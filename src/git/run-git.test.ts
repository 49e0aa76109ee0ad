import { expect, test } from "vitest";
import { failure, type GitPlace } from "./run-git.ts";
import { standardHost } from "./standard-host.ts";

const place: GitPlace = { host: standardHost, configuration: "sealed", cwd: "/" };
const faultOf = (stderr: string) =>
	failure(
		place,
		{ args: ["add"] },
		{ exitCode: 128, stdout: Buffer.of(), stderr, truncated: false },
	);

test.each([
	"fatal: write error: No space left on device",
	`${"warning: something else\n".repeat(200)}error: file write error: No space left on device`,
	"fatal: sha1 file 'objects/pack/tmp_pack_M9OYyb' write error. Out of diskspace",
	"error: unable to write: Disk quota exceeded",
])("a full disk is told, whatever git calls it: %s", (stderr) => {
	expect(faultOf(stderr).code).toBe("disk-full");
});

test("git fsck is advised where objects are missing or damaged, and nowhere else", () => {
	const fsck = (stderr: string): boolean => faultOf(stderr).hint?.includes("git fsck") === true;
	expect(fsck(`error: object file objects/ab/${"c".repeat(38)} is empty`)).toBe(true);
	expect(fsck("fatal: bad object HEAD")).toBe(true);
	expect(fsck('error: open("data"): Permission denied')).toBe(false);
	expect(fsck("fatal: failed to encode 'a' from UTF-16 to UTF-8")).toBe(false);
});
