import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Work } from "./finding.ts";
import { contextualSecrets, vendorSecrets } from "./planted.contract.ts";
import {
	asFunction,
	findByVendorRule,
	REACHES,
	type SecretlintRule,
	secretlintRules,
	windowsAround,
} from "./vendor-rules.ts";

const idOf = (rule: SecretlintRule): string =>
	rule.meta.id.replace("@secretlint/secretlint-rule-", "");

/** Why these rules of the preset are not run. */
const LEFT_OUT: Readonly<Record<string, string>> = {
	gcp: "reads whole files; the key in them is found as a private key",
	privatekey: "asks for both ends of a key and 100 characters; ours does with less",
	"filter-comments": "lets a comment in the text switch rules off",
};

const KEY = vendorSecrets().find(([rule]) => rule === "private-key")?.[1] ?? "";

/** A text for each rule in which it finds something. */
const SAMPLES: readonly (readonly [id: string, text: string])[] = [
	...vendorSecrets(),
	...contextualSecrets().map(([text]) => ["", text] as const),
	["basicauth", "x https://me:Zx9cv8bn7m@host.test/y"],
	["database-connection-string", "mongodb+srv://app:Zx9(cv)8bn@db.host/x"],
	["database-connection-string", "jdbc:mysql://app:Zx9cv8bn7m@db.host/x"],
	["npm", "//registry.npmjs.org/:_authToken=Zx9cv8Kq7mQ4r2T6yU1iO3pW"],
	["aws", 'AWS_SECRET_ACCESS_KEY="wJ7lrXUtnFEM1/K7MDENG/bPxRf1CYq8Zk3Lw0Vd"'],
];

const newWork = (): Work => ({ characters: 0, windows: 0 });

function placesOf(keyword: string, text: string): number[] {
	const places: number[] = [];
	for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) places.push(at);
	return places;
}

function found(id: string, text: string): string[] {
	return REACHES.filter((reach) => reach.id === id).flatMap((reach) => {
		const lower = text.toLowerCase();
		const places = reach.keywords
			.flatMap((keyword) => placesOf(keyword, lower))
			.sort((a, b) => a - b);
		const findings = findByVendorRule(text, reach, places, newWork());
		for (const { start, end, value } of findings) expect(text.slice(start, end)).toBe(value);
		return findings.map(({ value }) => value);
	});
}

describe("the rules of the preset", () => {
	test("each is run or left out for a reason", () => {
		const run = new Set(REACHES.map(({ id }) => id));
		expect(secretlintRules().map(idOf).sort()).toEqual([...run, ...Object.keys(LEFT_OUT)].sort());
	});

	test.each([...new Set(REACHES.map(({ id }) => id))])("%s finds what it is for", (id) => {
		expect(SAMPLES.flatMap(([, text]) => found(id, text))).not.toEqual([]);
	});

	test("each reports before its call returns, also in the middle of a text", () => {
		for (const rule of secretlintRules()) {
			if (Object.hasOwn(LEFT_OUT, idOf(rule))) continue;
			let reports = 0;
			const made = rule.create(
				{
					sharedOptions: {},
					createTranslator: () => (messageId, data) => ({ messageId, data }),
					report: () => {
						reports += 1;
					},
					ignore: () => undefined,
				},
				{ enableIDScanRule: true },
			);
			for (const filePath of ["", ".npmrc"]) {
				const content = SAMPLES.map(([, text]) => text).join("\n");
				expect(made.file({ content, ext: "", filePath })).toBeUndefined();
			}
			expect(reports).toBeGreaterThan(0);
		}
	});

	test("what the left out ones for keys report is a private key for us too", () => {
		const rules = new Map(secretlintRules().map((rule) => [idOf(rule), rule]));
		const account = JSON.stringify({ private_key_id: "1", private_key: KEY });
		for (const [id, content, ext] of [
			["privatekey", KEY, ""],
			["gcp", account, ".json"],
		] as const) {
			const rule = rules.get(id);
			expect(rule && asFunction(rule)({ content, ext })).toHaveLength(1);
		}
	});

	test("a comment that switches secretlint off switches nothing off", () => {
		const [, token = ""] = vendorSecrets().find(([rule]) => rule === "npm") ?? [];
		expect(found("npm", `// secretlint-disable\n${token}`)).toEqual([token]);
	});
});

test.each([
	["basicauth", "https://user:pass@host.example/ https://me:me@host.example"],
	["database-connection-string", "postgres://postgres:postgres@localhost/x"],
	["slack", "xoxb-your-token"],
	["aws", "account_id: 1234-5678-9012"],
	["aws", "secret_access_key: SandboxesSandboxAwsMountStaticAuthConfig.SecretAccessKey;"],
	["npm", "_authToken=([^$].*)"],
])("%s finds nothing in examples: %s", (id, text) => {
	expect(found(id, text)).toEqual([]);
});

test("windows hold the reach of every place, touch no other, and are bounded", () => {
	const place = fc.integer({ min: 0, max: 60_000 });
	fc.assert(
		fc.property(fc.array(place, { minLength: 1, maxLength: 200 }), place, (places, after) => {
			const sorted = places.toSorted((a, b) => a - b);
			const around = { before: 4, after: (after % 2_000) + 1 };
			const windows = windowsAround(sorted, around, 60_000);
			for (const each of sorted) {
				const start = Math.max(0, each - around.before);
				const end = Math.min(60_000, each + around.after);
				expect(windows.some(([from, to]) => from <= start && end <= to)).toBe(true);
			}
			for (const [from, to] of windows) expect(to - from).toBeLessThanOrEqual(16_384);
		}),
	);
});
