import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import {
	modelAddress,
	modelKey,
	modelName,
	requireModelPackages,
	requireUsable,
} from "./model-access.ts";

function faultOf(action: () => unknown): Fault | undefined {
	try {
		action();
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
	return undefined;
}

const plain = { baseUrl: undefined, named: {}, env: {} };

test("a missing package is told with the command that installs it", async () => {
	const dir = await mkdtemp(join(tmpdir(), "spar-packages-"));
	const from = pathToFileURL(join(dir, "file.js")).href;
	const fault = faultOf(() => requireModelPackages("arbiter", "google/gemini-2.5-pro", from));
	await rm(dir, { recursive: true });
	expect(fault?.code).toBe("program-missing");
	expect(fault?.message).toContain("agent arbiter needs the npm packages ai and @ai-sdk/google");
	expect(fault?.hint).toContain("npm install ai @ai-sdk/google");
});

test.each(["google/a", "anthropic/a", "openai/a", "openai-compatible/a"])(
	"the packages of %s are found without loading them",
	(model) => {
		expect(faultOf(() => requireModelPackages("arbiter", model))).toBeUndefined();
	},
);

test.each(["nobody/x", "x", "google/", "google", "/x", "", "google/ ", "toString/x"])(
	"the model %j is refused with the known providers",
	(model) => {
		const fault = faultOf(() => requireUsable("arbiter", { ...plain, model }));
		expect(fault).toMatchObject({ code: "workflow-invalid" });
		expect(fault?.hint).toContain("google, anthropic, openai, openai-compatible");
	},
);

test("a name may hold slashes", () => {
	expect(modelName("openai-compatible/meta-llama/Llama-3").name).toBe("meta-llama/Llama-3");
});

test.each([
	["google/x", "GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY"],
	["anthropic/x", "ANTHROPIC_API_KEY"],
	["openai/x", "OPENAI_API_KEY"],
])("without a key %s names where one was looked for", (model, names) => {
	const fault = faultOf(() => requireUsable("arbiter", { ...plain, model, env: { OTHER: "1" } }));
	expect(fault).toMatchObject({ code: "program-missing" });
	expect(fault?.message).toContain(names);
	expect(fault?.message).toContain("agent arbiter");
});

test("a compatible address needs no key, but to be told", () => {
	const model = "openai-compatible/tiny";
	const local = { ...plain, model, baseUrl: "http://127.0.0.1:11434" };
	expect(requireUsable("arbiter", local)).toBeNull();
	const fault = faultOf(() => requireUsable("arbiter", { ...plain, model }));
	expect(fault?.code).toBe("workflow-invalid");
	expect(fault?.message).toContain("needs an address");
	expect(
		faultOf(() => requireUsable("arbiter", { ...local, baseUrl: "ftp://x" }))?.message,
	).toContain("ftp:");
});

test("the variable with the key is named, never its value", () => {
	const env = { GOOGLE_API_KEY: "secret-1", GEMINI_API_KEY: " " };
	expect(requireUsable("arbiter", { ...plain, model: "google/x", env })).toBe("GOOGLE_API_KEY");
	const named = {
		...plain,
		model: "google/x",
		named: { TEAM_KEY: "2" },
		env,
	};
	expect(requireUsable("arbiter", named)).toBe("TEAM_KEY");
});

test("a key is looked for where the workflow says, then where the provider's are", () => {
	const keyOf = (named: Record<string, string>, env: Record<string, string> = {}) =>
		modelKey({ model: "google/x", baseUrl: undefined, named, env })?.value;
	expect(keyOf({ TEAM: "a", GOOGLE_API_KEY: "b" }, { GEMINI_API_KEY: "c" })).toBe("b");
	expect(keyOf({ TEAM: "a" }, { GEMINI_API_KEY: "c" })).toBe("a");
	expect(keyOf({ TEAM: "" }, { GEMINI_API_KEY: " c\n" })).toBe("c");
	expect(keyOf({ GOOGLE_GEMINI_BASE_URL: "http://x", HTTPS_PROXY: "http://y" })).toBeUndefined();
	expect(keyOf({}, { OPENAI_API_KEY: "c" })).toBeUndefined();
});

test.each(["a b", "a\nb", "sk-…", "schlüssel"])(
	"a key that cannot be sent is not quoted: %j",
	(value) => {
		const fault = faultOf(() =>
			requireUsable("arbiter", { ...plain, model: "openai/x", env: { OPENAI_API_KEY: value } }),
		);
		expect(fault).toMatchObject({ code: "program-missing" });
		expect(fault?.message).toContain("OPENAI_API_KEY");
		expect(`${fault?.message}${fault?.hint}`).not.toContain(value);
	},
);

test("a compatible address never gets the key of OpenAI", () => {
	const options = { model: "openai-compatible/x", baseUrl: "http://127.0.0.1:1", named: {} };
	expect(modelKey({ ...options, env: { OPENAI_API_KEY: "c" } })).toBeNull();
	expect(modelKey({ ...options, env: { OPENAI_COMPATIBLE_API_KEY: "d" } })?.value).toBe("d");
});

test.each([
	["google/x", "http://h:1", "http://h:1/v1beta"],
	["google/x", "http://h:1/v1beta/", "http://h:1/v1beta"],
	["google/x", "http://h:1/proxy/v1", "http://h:1/proxy/v1"],
	["anthropic/x", "http://h:1/", "http://h:1/v1"],
	["anthropic/x", "https://h/anthropic", "https://h/anthropic/v1"],
	["openai/x", "https://h/v1", "https://h/v1"],
	["openai-compatible/x", "http://h:1", "http://h:1/v1"],
	["openai-compatible/x", "http://h:1/v1/", "http://h:1/v1"],
	["openai-compatible/x", "https://h/v1beta/openai/", "https://h/v1beta/openai"],
])("the address of %s %s is completed to %s", (model, baseUrl, address) => {
	expect(modelAddress({ model, baseUrl, named: {}, env: {} })).toBe(address);
});

test("the workflow's address wins over that of the environment, and that over the provider's", () => {
	const at = (baseUrl: string | undefined, env: Record<string, string>) =>
		modelAddress({ model: "anthropic/x", baseUrl, named: {}, env });
	expect(at("http://a", { ANTHROPIC_BASE_URL: "http://b" })).toBe("http://a/v1");
	expect(at(undefined, { ANTHROPIC_BASE_URL: "http://b" })).toBe("http://b/v1");
	expect(at(undefined, { ANTHROPIC_BASE_URL: "" })).toBe("https://api.anthropic.com/v1");
	const named = { OPENAI_BASE_URL: "http://c" };
	expect(modelAddress({ model: "openai/x", baseUrl: undefined, named, env: {} })).toBe(
		"http://c/v1",
	);
});

test("a model that is nobody's agent speaks for itself, and is told no key of the workflow's", async () => {
	const model = "google/gemini-flash-latest";
	const fault = faultOf(() => requireUsable(model, { ...plain, model }));
	expect(fault?.message).toMatch(
		/^the model google\/gemini-flash-latest needs a key, and none of these is set: GEMINI_API_KEY, /,
	);
	expect(fault?.hint).toBe("Set GEMINI_API_KEY.");
	const dir = await mkdtemp(join(tmpdir(), "spar-packages-"));
	const from = pathToFileURL(join(dir, "file.js")).href;
	const missing = faultOf(() => requireModelPackages(model, model, from));
	await rm(dir, { recursive: true });
	expect(missing?.message).toBe(`the model ${model} needs the npm packages ai and @ai-sdk/google`);
});
