import { spawn } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";

/**
 * Stands in for npm: notes the folder, and installs a program that prints the version that package.json asks for. A file
 * `refuse` beside it names what it cannot get, a file `mistake` what it gets at another version.
 */
const FAKE_NPM = `#!/bin/sh
here=$(dirname "$0")
wanted=$(sed 's/.*"dependencies":{"\\([^"]*\\)":"\\([^"]*\\)".*/\\1 \\2/' package.json)
package=\${wanted% *}
version=\${wanted#* }
echo "$package" >> "$here/calls.txt"
if grep -qs "$package" "$here/refuse"; then echo "npm error 404 no such package" >&2; exit 1; fi
if grep -qs "$package" "$here/mistake"; then version=0.0.1; fi
case "$package" in
	*claude*) name=claude ;;
	*codex*) name=codex ;;
	*gemini*) name=gemini ;;
	*) name=opencode ;;
esac
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho "%s"\\n' "$version" > "node_modules/.bin/$name"
chmod +x "node_modules/.bin/$name"
`;

const foundSchema = z.record(
	z.string(),
	z.union([
		z.strictObject({ version: z.string(), bin: z.string() }),
		z.strictObject({ notTested: z.string() }),
	]),
);

const roots: string[] = [];

afterEach(() => {
	for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

interface Place {
	readonly bin: string;
	readonly cache: string;
	/** Packages that npm was asked for so far. */
	readonly calls: () => readonly string[];
}

function place({ npm = true }: { readonly npm?: boolean } = {}): Place {
	const root = mkdtempSync(join(tmpdir(), "spar harnesses-"));
	roots.push(root);
	const bin = join(root, "bin");
	mkdirSync(bin);
	for (const tool of ["sh", "sed", "dirname", "grep", "mkdir", "chmod"]) {
		const found = ["/bin", "/usr/bin"].map((folder) => join(folder, tool)).find(existsSync);
		if (found !== undefined) symlinkSync(found, join(bin, tool));
	}
	if (npm) {
		writeFileSync(join(bin, "npm"), FAKE_NPM);
		chmodSync(join(bin, "npm"), 0o755);
	}
	const log = join(bin, "calls.txt");
	return {
		bin,
		cache: join(root, "cache"),
		calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
	};
}

const listOf = ({ cache }: Place): string => join(cache, "harnesses.json");

async function runScript(name: string, { bin, cache }: Place) {
	const child = spawn(process.execPath, [join("scripts", name)], {
		env: { PATH: bin, SPAR_HARNESSES: cache },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let stdout = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
	});
	const code = await new Promise<number | null>((settle) => {
		child.once("close", settle);
	});
	return { code, lines: stdout.trim().split("\n") };
}

async function install(here: Place) {
	const { code, lines } = await runScript("install-harnesses.ts", here);
	const noted: unknown = JSON.parse(readFileSync(listOf(here), "utf8"));
	return { code, lines, noted: foundSchema.parse(noted) };
}

test("each harness gets a folder of its own, once", async () => {
	const here = place();
	const { code, lines, noted } = await install(here);
	expect(code).toBe(0);
	expect(Object.keys(noted)).toEqual(["claude", "codex", "gemini", "opencode"]);
	for (const [name, found] of Object.entries(noted)) {
		const version = "version" in found ? found.version : found.notTested;
		const bin = join(here.cache, `${name}-${version}`, "node_modules", ".bin", name);
		expect(found).toEqual({ version, bin });
		expect(lines).toContain(`${name}: ${version} at ${bin}`);
		expect(existsSync(bin)).toBe(true);
	}
	expect(await install(here)).toEqual({ code, lines, noted });
	expect(here.calls()).toHaveLength(4);
});

test("one that npm cannot get is noted with npm's reason, fails nothing and leaves nothing", async () => {
	const here = place();
	writeFileSync(join(here.bin, "refuse"), "@openai/codex\n");
	const { code, lines, noted } = await install(here);
	const reason = "npm install ended with 1: npm error 404 no such package";
	expect(code).toBe(0);
	expect(noted["codex"]).toEqual({ notTested: reason });
	expect(lines).toContain(`codex: not tested: ${reason}`);
	expect(noted["claude"]).toHaveProperty("bin");
	expect(readdirSync(here.cache).filter((name) => name.includes("codex"))).toEqual([]);
});

test("another version than the pinned one is not taken for it", async () => {
	const here = place();
	writeFileSync(join(here.bin, "mistake"), "opencode-ai\n");
	const { noted } = await install(here);
	expect(noted["opencode"]).toEqual({ notTested: "opencode --version ended with 0: 0.0.1" });
});

test("one that is there but does not start is installed anew", async () => {
	const here = place();
	const { noted } = await install(here);
	const gemini = noted["gemini"];
	if (gemini === undefined || !("bin" in gemini)) throw new Error("gemini is missing");
	writeFileSync(gemini.bin, "#!/bin/sh\nexit 3\n");
	expect((await install(here)).noted).toEqual(noted);
	expect(here.calls().filter((name) => name.includes("gemini"))).toHaveLength(2);
});

test("without npm nothing is tested, and that is said", async () => {
	const { code, noted } = await install(place({ npm: false }));
	expect(code).toBe(0);
	expect(noted["claude"]).toEqual({
		notTested: "npm install ended with no exit code: spawn npm ENOENT",
	});
});

/** Stands in for the test runner: says that it was started. */
function addRunner({ bin }: Place): void {
	writeFileSync(join(bin, "vitest"), "#!/bin/sh\necho driven\n", { mode: 0o755 });
}

test("agents are driven after they were installed", async () => {
	const here = place();
	addRunner(here);
	const { code, lines } = await runScript("test-agents.ts", here);
	expect(code).toBe(0);
	expect(lines.at(-1)).toBe("driven");
});

test("an installer that crashes drives no agent, fails, and leaves no list of an earlier run", async () => {
	const here = place();
	addRunner(here);
	await install(here);
	for (const name of readdirSync(here.cache)) {
		if (name !== "harnesses.json") rmSync(join(here.cache, name), { recursive: true });
	}
	writeFileSync(join(here.bin, "npm"), "#!/bin/sh\nkill -9 $PPID\n", { mode: 0o755 });
	const { code, lines } = await runScript("test-agents.ts", here);
	expect(code).toBe(1);
	expect(lines).not.toContain("driven");
	expect(existsSync(listOf(here))).toBe(false);
});
