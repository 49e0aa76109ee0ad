import { expect, test } from "vitest";
import { withHook, withoutHook } from "./settings-hook.ts";

const command = "spar check --hook stop";
const entry = { hooks: [{ type: "command", command, timeout: 1800 }] };
const hook = { event: "Stop", entry, command };

const SOME_TEXT: unknown = expect.any(String);

const edited = (changed: ReturnType<typeof withHook>): string => {
	if (!("text" in changed) || changed.text === null) throw new Error(JSON.stringify(changed));
	return changed.text;
};

const OTHER = { matcher: "", hooks: [{ type: "command", command: "say done" }] };

test.each<[string, string]>([
	["nothing", "{}\n"],
	[
		"other keys, in tabs",
		'{\n\t"model": "opus",\n\t"permissions": { "allow": ["Read", "Edit"] }\n}\n',
	],
	["hooks of other events", '{\n  "hooks": {"PreToolUse": [ ]},\n  "env": {"A": "1"}\n}'],
	["a Stop hook of the user's", JSON.stringify({ hooks: { Stop: [OTHER] }, model: "x" }, null, 4)],
	["line ends of Windows", '{\r\n  "model": "opus"\r\n}\r\n'],
])(
	"settings with %s keep all that is in them, and are as before once the hook is gone",
	(_name, text) => {
		const before: unknown = JSON.parse(text);
		const added = edited(withHook(text, hook));
		const now = JSON.parse(added) as { hooks: { Stop: unknown[] } };
		const { hooks: _, ...others } = now;
		expect(before).toMatchObject(others);
		expect(now.hooks.Stop.at(-1)).toEqual(entry);
		expect(added.replaceAll("\r\n", "").includes("\n")).toBe(!text.includes("\r\n"));
		expect(withHook(added, hook)).toEqual({ isSame: true });
		const removed = withoutHook(added, hook);
		if (text === "{}\n") expect(removed).toEqual({ text: null });
		else expect(JSON.parse(edited(removed))).toEqual(before);
	},
);

test("no byte of another hook is changed, on the way in and out", () => {
	const own = `{ "hooks": [ { "type":"command", "command": "say \\u0064one", "n": 1e400 } ] }`;
	const text = `{\r\n\t"hooks": { "Stop": [\r\n\t\t${own}\r\n\t] },\r\n\t"z": 1.0\r\n}\r\n`;
	const added = edited(withHook(text, hook));
	expect(added).toContain(own);
	expect(edited(withoutHook(added, hook))).toBe(text);
});

test("a hook beside the user's own in one entry is taken out alone", () => {
	const both = { hooks: [...OTHER.hooks, ...entry.hooks] };
	const text = JSON.stringify({ hooks: { Stop: [entry, both, entry] } });
	expect(JSON.parse(edited(withoutHook(text, hook)))).toEqual({
		hooks: { Stop: [{ hooks: OTHER.hooks }] },
	});
});

test.each<[string, string]>([
	["with comments", '{\n  // mine\n  "model": "opus"\n}'],
	["with a comma too many", '{ "model": "opus", }'],
	["that are a list", "[]"],
	["whose hooks are no object", '{ "hooks": [] }'],
	["whose Stop is no list", '{ "hooks": { "Stop": {} } }'],
	["in which a key stands twice", '{ "hooks": { "Stop": [1] }, "hooks": { "Stop": [] } }'],
])("settings %s are left alone, with the reason", (_name, text) => {
	expect(withHook(text, hook)).toEqual({ reason: SOME_TEXT });
	// There is nothing of Sparring's in them.
	expect(withoutHook(text, hook)).toEqual({ isSame: true });
});

test("with comments or changed by the user, the hook is not taken out", () => {
	const own = JSON.stringify({ hooks: { Stop: [entry] } });
	expect(withoutHook(`// mine\n${own}`, hook)).toHaveProperty("reason");
	const quick = own.replace(command, `${command} --quick`);
	expect(withHook(quick, hook)).toEqual({ isSame: true });
	expect(withoutHook(quick, hook)).toEqual({ reason: "its hook was changed" });
	const twice = own.replace("{", '{ "hooks": { "Stop": [1] },');
	expect(withoutHook(twice, hook)).toHaveProperty("reason");
});
