import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { contextualSecrets, vendorSecrets } from "./planted-texts.fixture.ts";
import { SecretMasker } from "./secret-masker.ts";

const KNOWN = 'known+Value/4711&"x"';
const masker = new SecretMasker([{ value: KNOWN, rule: "env" }]);
const MARK = /^\[MASKED:([a-z0-9_-]+):[0-9a-f]{4}\]$/;

describe("secrets with a form of their own", () => {
	test.each(vendorSecrets())("%s", (rule, secret) => {
		const masked = masker.mask(secret);
		expect(MARK.exec(masked)?.[1]).toBe(rule);
		expect(masker.mask(`a: ${secret}\nnext line`)).toBe(`a: ${masked}\nnext line`);
		expect(masker.mask(`"${secret}"`)).toBe(`"${masked}"`);
		expect(masker.mask(JSON.stringify({ note: `x\n${secret}\n` }))).toBe(
			JSON.stringify({ note: `x\n${masked}\n` }),
		);
	});

	test.each(vendorSecrets())("%s, named a secret: the mark is the same", (rule, secret) => {
		if (rule === "private-key") return;
		expect(masker.mask(`token = "${secret}"`)).toBe(`token = "${masker.mask(secret)}"`);
		expect(masker.mask(`SECRET=${secret}\n`)).toBe(`SECRET=${masker.mask(secret)}\n`);
	});

	test.each(vendorSecrets())("%s, broken by a line end", (rule, secret) => {
		if (secret.startsWith("https:") || rule === "private-key") return;
		const whole = masker.mask(secret);
		const half = Math.floor(secret.length / 2);
		for (const at of [2, half]) {
			for (const end of ["\n", "\r\n", "\\n", "\n    "]) {
				const broken = `x ${secret.slice(0, at)}${end}${secret.slice(at)}`;
				expect(masker.mask(`${broken}\nnext`)).toBe(`x ${whole}\nnext`);
			}
		}
	});

	test.each(vendorSecrets())("%s, wrapped at 76 columns", (rule, secret) => {
		if (rule === "private-key" || secret.startsWith("https:")) return;
		const wrapped = `${"-".repeat(70)} ${secret}`.replaceAll(/.{76}/g, "$&\n");
		expect(masker.mask(wrapped)).toContain(masker.mask(secret));
	});
});

describe("secrets by their place", () => {
	test.each(contextualSecrets())("%s", (text, secret) => {
		const masked = masker.mask(text);
		expect(masked).not.toContain(secret);
		expect(masked).toContain("[MASKED:");
	});

	test("a value has one mark in every place", () => {
		const marks = contextualSecrets().flatMap(
			([text]) => /\[MASKED:secret:....\]/.exec(masker.mask(text)) ?? [],
		);
		// Two for the keys of AWS and the encoded one, two for passwords of their own; the other values are the same.
		expect(new Set(marks).size).toBe(5);
	});
});

test("a known value keeps the mark of its rule wherever it stands", () => {
	const known = new SecretMasker([{ value: "Zx9cv8bn7mQ", rule: "env" }]);
	for (const text of ["Zx9cv8bn7mQ", 'password = "Zx9cv8bn7mQ"', "https://me:Zx9cv8bn7mQ@host"]) {
		expect(known.mask(text)).toContain(`[MASKED:env:`);
		expect(known.mask(text)).not.toContain("secret:");
	}
});

test("a private key has one mark as it is, in JSON, in a diff and indented", () => {
	const key = vendorSecrets().find(([rule]) => rule === "private-key")?.[1] ?? "";
	const mark = masker.mask(key);
	expect(mark).toMatch(MARK);
	expect(masker.mask(JSON.stringify({ key }))).toBe(JSON.stringify({ key: mark }));
	expect(masker.mask(key.replaceAll("\n", "\n    "))).toBe(mark);
	const diff = key.split("\n").map((line) => `-${line}`);
	expect(masker.mask(diff.join("\n")).replace("-[", "[")).not.toMatch(/[A-Za-z0-9]{20}/);
});

test("of a private key that was cut off nothing stays, on either side of the cut", () => {
	const key = vendorSecrets().find(([rule]) => rule === "private-key")?.[1] ?? "";
	const [begin = "", first = "", second = "", third = "", end = ""] = key.split("\n");
	expect(masker.mask(`a\n${begin}\n${first}\n${second}`)).toMatch(
		/^a\n\[MASKED:private-key:....\]$/,
	);
	expect(masker.mask(`${second}\n${third}\n${end}\nb`)).toMatch(/^\[MASKED:private-key:....\]\nb$/);
	for (const cut of [`${begin}\n${first}\n${second}`, `${first}\n${second}\n${third}\n${end}`]) {
		for (const indent of [0, 2]) {
			const masked = masker.mask(JSON.stringify({ a: { b: `x ${cut}`, c: 1 } }, null, indent));
			expect(masked).not.toMatch(/[A-Za-z0-9]{20}/);
			expect(() => void JSON.parse(masked)).not.toThrow();
		}
	}
});

test("marks are never masked, and stop what would reach over them", () => {
	const mark = "[MASKED:env:12ab]";
	for (const text of [
		mark,
		`password = "${mark}"`,
		`SECRET=${mark}`,
		`https://me:${mark}@host`,
		`Bearer ${mark}`,
	]) {
		expect(masker.mask(text)).toBe(text);
	}
	const evil = new SecretMasker([{ value: "MASKED:env:", rule: "env" }]);
	expect(evil.mask(mark)).toBe(mark);
});

const PIECES = [
	...vendorSecrets().map(([, secret]) => secret),
	...contextualSecrets().map(([text]) => text),
	KNOWN,
	KNOWN.slice(0, 9),
	"[MASKED:env:12ab]",
	"\n",
	"\\n",
	"\r\n  ",
	'"',
	"'",
	" ",
	"=",
	":",
	"password",
	"token=",
	"Bearer ",
	"-----BEGIN ",
	"://",
	"eyJ",
	"sk-",
	"x",
	"1",
	"{",
	"}",
];

test("what stands alone only beside a mark is masked as well", () => {
	const [, key = ""] = vendorSecrets().find(([name]) => name === "google") ?? [];
	expect(masker.mask([key, key, key].join("_"))).toMatch(/^(?:\[MASKED:google:\w{4}\]_?){3}$/);
});

test("masking what is masked changes nothing, however secrets stand side by side", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
			const masked = masker.mask(pieces.join(""));
			expect(masker.mask(masked)).toBe(masked);
			expect(masked).not.toContain(KNOWN);
		}),
	);
});

thorough("JSON stays JSON, whatever stands in its texts", () => {
	const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((all) => all.join(""));
	fc.assert(
		fc.property(fc.dictionary(text, fc.array(text, { maxLength: 3 }), { maxKeys: 4 }), (value) => {
			for (const indent of [0, 2]) {
				const masked = masker.mask(JSON.stringify(value, null, indent));
				expect(() => void JSON.parse(masked)).not.toThrow();
			}
		}),
	);
});

test("text and code between the lines of a key stay", () => {
	const lines = [
		"-----BEGIN PRIVATE KEY-----",
		"src/review/effectiveVerdict/Of2Seats",
		"-----END PRIVATE KEY-----",
	];
	const text = JSON.stringify({ lines, more: "some more words about it" });
	expect(masker.mask(text)).toBe(text);
});

test("any text is masked without error, and twice gives the same", () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			const masked = masker.mask(text);
			expect(masker.mask(masked)).toBe(masked);
		}),
	);
});

test.each([
	["a git id", "commit 3f5d2c1b0a9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c"],
	["a SHA-256", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
	[
		"an integrity",
		'"integrity": "sha512-hfdYra+ZB6RmviEApxeL/YCx4ovBtpj0d9c+uhlCZaCikObjb8Sb8yqBN6g8/9tt7qD7LXGE3k9RtVvGK1fNVw=="',
	],
	[
		"a UUID",
		'const id = "550e8400-e29b-41d4-a716-446655440000"; token: "550e8400-e29b-41d4-a716-446655440000"',
	],
	[
		"an image",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
	],
	[
		"minified code",
		"function t(e,n){var r=e.token,o=n.secret;return r.password=o.key,{token:r,secret:i}}",
	],
	["types", "interface A { token: Token; password: string; apiKey?: string | undefined }"],
	[
		"calls",
		"const secret = readSecret(); const token = await getToken(config.auth2); password = prompt()",
	],
	[
		"variables",
		`process.env.API_KEY \${TOKEN} {{ password }} $SECRET password=$DB_PASS token=%TOKEN%`,
	],
	["references", "secret_access_key: SandboxesSandboxAwsMountStaticAuthConfig.SecretAccessKey;"],
	[
		"comparisons",
		'if (token === "identifier" || token.type == TokenType2Name) password != other1value2name;',
	],
	[
		"examples",
		'password = "changeme"; api_key: "<your-key>"; secret: "xxxxxxxxxxxxxxxx"; token="your-token-1234"',
	],
	["example ids", "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
	[
		"example tokens",
		"xoxb-your-token-here ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx sk-ant-your-key-here-0123456789abcdefghij",
	],
	[
		"example URLs",
		"https://user:pass@host postgres://postgres:postgres@localhost/db http://user:password@x",
	],
	[
		"prose",
		"The token is compared with the secret. Basic authentication: pass the bearer credentials along.",
	],
	[
		"paths",
		"PWD=/home/me/a1b2c3d4 token: ./secrets/a1b2c3d4.json private_key: /etc/ssl/k1e2y3.pem",
	],
	[
		"hash names",
		'passwordHash: "9f86d081884c7d659a2feaa0c55ad015", token_sha256=9f86d081884c7d659a2feaa0c55ad015',
	],
	["code that writes keys", `-----BEGIN PRIVATE KEY-----\\n\${body}\\n-----END PRIVATE KEY-----`],
	[
		"a public key",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----",
	],
])("%s comes through unchanged", (_, text) => {
	expect(masker.mask(text)).toBe(text);
});

thorough("the source of this package comes through unchanged", () => {
	const files = globSync("src/**/*.ts").filter(
		(file) => !/\.(?:test|contract|fixture)\.ts$/.test(file),
	);
	const changed = files.filter((file) => {
		const text = readFileSync(file, "utf8");
		return masker.mask(text) !== text;
	});
	expect(files.length).toBeGreaterThan(200);
	expect(changed).toEqual([]);
});
