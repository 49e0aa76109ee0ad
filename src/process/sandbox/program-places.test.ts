import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programPlaces } from "./confined-host.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-programs-"));
	mkdirSync(join(root, ".venv/bin"), { recursive: true });
	writeFileSync(join(root, ".venv/pyvenv.cfg"), "");
	mkdirSync(join(root, "tools/bin"), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true }));

const placesOf = (command: string, { path = "", named = [] as string[] } = {}): readonly string[] =>
	programPlaces({ command: [command], env: { PATH: path }, named });

test("a program of a package brings the outermost node_modules", () => {
	const program = "/r/node_modules/a/node_modules/.bin/x";
	expect(placesOf(program)).toContain("/r/node_modules");
	expect(placesOf(program)).not.toContain("/r");
});

test("an activated environment is there as a whole, another folder of programs alone", () => {
	const [venv, tools] = [join(root, ".venv/bin"), join(root, "tools/bin")];
	const places = placesOf("sh", { path: `${venv}:${tools}` });
	expect(places).toContain(join(root, ".venv"));
	expect(places).toContain(tools);
	expect(places).not.toContain(join(root, "tools"));
	expect(placesOf(join(venv, "python"))).toContain(join(root, ".venv"));
});

test.each([
	["node", "/r/agent.js"],
	["--config=/r/agent.js"],
	["sh", "-c", "cd x && '/r/agent.js' --fast; true"],
	["file:///r/agent.js"],
])("a file that the user's command names is there: %s", (...named) => {
	expect(placesOf("sh", { named }).map((path) => path.replace(/^\/+/, "/"))).toContain(
		"/r/agent.js",
	);
});
