import { expect, test } from "vitest";
import { missingPrograms, refusalOf, unsupported } from "./sandbox-refusal.ts";

test("Linux and macOS have a sandbox, others have none", () => {
	expect(unsupported("linux")).toBeNull();
	expect(unsupported("darwin")).toBeNull();
	expect(unsupported("win32")).toMatchObject({ reason: "there is no sandbox for win32" });
});

test("what is not installed is named, with how to install it", () => {
	const linux = missingPrograms("linux", { PATH: "/nowhere" });
	expect(linux?.reason).toBe("bubblewrap (bwrap) and socat and which are not installed");
	expect(linux?.fix).toContain("apt-get install bubblewrap socat");
	expect(missingPrograms("darwin", {})).toMatchObject({
		reason: "sandbox-exec is not installed",
	});
});

test("a missing package is told with its exact version", () => {
	const refusal = refusalOf({ missing: true, message: "Cannot find package" });
	expect(refusal.reason).toBe("the package @anthropic-ai/sandbox-runtime is not installed");
	expect(refusal.fix).toContain("npm install @anthropic-ai/sandbox-runtime@0.0.83");
});

test("a system that forbids namespaces is told apart from other failures", () => {
	for (const message of [
		"bwrap: setting up uid map: Permission denied",
		"bwrap: No permissions to create a new namespace, likely because the kernel does not allow",
		"bwrap: Creating new namespace failed: Operation not permitted",
		"bwrap: Creating new namespace failed: No space left on device",
		"running as uid 0 without CAP_SETFCAP in this process's capability bounding set",
	]) {
		const refusal = refusalOf({ missing: false, message });
		expect(refusal.reason, message).toMatch(/^this system forbids the namespaces/);
		expect(refusal.fix).toContain("user namespaces");
	}
	expect(refusalOf({ missing: false, message: "a\n b" }).reason).toBe("a b");
});
