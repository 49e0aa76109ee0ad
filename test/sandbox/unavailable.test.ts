import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram } from "../../src/process/find-program.ts";
import { probeSandbox } from "../../src/process/sandbox/open-sandbox.ts";

let bin = "";

beforeEach(() => {
	bin = mkdtempSync(join(tmpdir(), "spar-bin-"));
	for (const name of ["sh", "env", "true", "socat", "which"]) {
		const path = findProgram(name, process.env["PATH"] ?? "", "/");
		if (path !== undefined) symlinkSync(path, join(bin, name));
	}
});

afterEach(() => rmSync(bin, { recursive: true }));

function bwrap(script: string): void {
	const path = join(bin, "bwrap");
	writeFileSync(
		path,
		`#!/bin/sh\ncase "$1" in --version) echo "bubblewrap 0.8.0"; exit;; esac\n${script}\n`,
	);
	chmodSync(path, 0o755);
}

const probe = () => probeSandbox({ PATH: bin });

test("a machine with everything has a sandbox", async () => {
	const found = await probeSandbox(process.env);
	expect(found.available ? found.detail : found.reason).toMatch(/^bubblewrap: /);
});

test("a system that forbids namespaces is told, with the way to allow them", async () => {
	bwrap('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
	const refusal = await probe();
	if (refusal.available) throw new Error("it found a sandbox");
	expect(refusal.reason).toMatch(/^this system forbids .*uid map: Permission denied/);
	expect(refusal.fix).toContain("sysctl");
});

test("one that starts processes and does not confine them is no sandbox", async () => {
	bwrap('while [ "$1" != "--" ]; do shift; done; shift; export HTTP_PROXY=; exec "$@"');
	expect(await probe()).toMatchObject({
		available: false,
		reason: "a confined process could write to a protected directory",
	});
});

test("one that crashes is no sandbox", async () => {
	bwrap("kill -SEGV $$");
	expect(await probe()).toMatchObject({ available: false });
});

test("a search path whose programs are folders has none of them", async () => {
	mkdirSync(join(bin, "bwrap"));
	expect(await probe()).toMatchObject({
		available: false,
		reason: "bubblewrap (bwrap) is not installed",
	});
});
