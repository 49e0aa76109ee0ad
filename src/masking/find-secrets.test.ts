import { describe, expect, test } from "vitest";
import { MARK_RULES } from "../kernel/mark.ts";
import { findSecrets } from "./find-secrets.ts";
import { labelledSecrets, puttyKey, vendorSecrets } from "./planted-texts.fixture.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";
import { expectLinear, worstTexts } from "./worst-texts.fixture.ts";

test.each(worstTexts(60_000))(
	"%s: the time is bounded, and grows with the length of the text alone",
	(_, text) => {
		expectLinear(text);
	},
);

test.each(["eyJ.\n", "eyJ.", "eyJ-", "eyJ.\\n", "AccountKey=", "ya29.-", "eyJhIjoiYWF-"])(
	"%j without end takes a time that grows with the length of the text alone",
	(unit) => {
		expectLinear(unit.repeat(60_000 / unit.length));
	},
);

test("a search that reads the rest of the text at every place is noticed", () => {
	const slow = (text: string): void => {
		let sum = 0;
		for (let from = 0; from < text.length; from += 1) {
			for (let index = from; index < text.length; index += 1) sum += text.charCodeAt(index);
		}
		expect(sum).toBeGreaterThan(0);
	};
	expect(() => expectLinear("a".repeat(15_000), slow)).toThrow(/to be less than/);
});

const GOOGLE = `AIza${"Sy1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Qr"}`;

test("what is a secret by its form comes before what is one by its place, and the inner before the outer", () => {
	expect(findSecrets(`password=${GOOGLE}`)).toMatchObject([{ rule: "google", value: GOOGLE }]);
	expect(findSecrets("--password=https://me:Zx9cv8bn7m@host")).toMatchObject([
		{ rule: "secret", value: "Zx9cv8bn7m", start: 22 },
	]);
});

test("of a password with a token in it nothing stays", () => {
	const [before, after] = ["Xk29!aZ-", ".Zq81!mmT7"];
	const text = `password = "${before}${GOOGLE}${after}"`;
	expect(findSecrets(text)).toEqual([
		{ start: 12, end: text.length - 1, rule: "google", value: GOOGLE },
	]);
});

test.each(labelledSecrets())("%s: %s", (rule, text, secret) => {
	expect(findSecrets(text)).toMatchObject([{ rule }]);
	const [found] = findSecrets(text);
	expect(found?.value).toContain(secret.replace(/=$/, ""));
});

test.each(["\n", "\r\n", "\\n", "\\r\\n", "\n+ "])(
	"the private lines of PuTTY's keys, with %j",
	(end) => {
		const [text, lines] = puttyKey();
		const written = text.replaceAll("\n", end);
		const found = findSecrets(written);
		expect(found).toMatchObject([{ rule: "private-key", value: lines.join("") }]);
		// Cut off, what is there of it.
		const cut = written.slice(0, written.indexOf(lines[1] ?? "") + 9);
		expect(findSecrets(cut).map(({ end: last }) => last)).toEqual([cut.length]);
	},
);

describe("a token starts behind", () => {
	test.each([
		"\x1b[31m",
		"\x1b[0;1;31m",
		"\x1b[K",
		"[31m",
		"\\u001b[31m",
		"\\x1b[31m",
		"\\033[1m",
		"\\e[m",
		"\\n",
		"\\\\n",
		"\\t",
		"\\r",
		"\\u003d",
		"\\u0026",
		"\\x3d",
		"\\0",
		"%20",
		"%3D",
		"%3d",
		"&quot;",
		"&gt;",
		"&#x3d;",
		"\x07",
		"_",
		"-",
		"/",
		"é",
		"中",
	])("%j", (before) => {
		const tokens = [GOOGLE, vendorSecrets().find(([rule]) => rule === "jwt")?.[1] ?? ""];
		for (const token of tokens) {
			for (const text of [before + token, `x${before}${token}`, `${before}${token}${before}`]) {
				const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
				expect(found.some((each) => each.startsWith(token))).toBe(true);
			}
		}
	});

	test.each(["a", "9", "Zx", "%2", "%x2", "[31", "u003d", "[mm"])(
		"not %j, which is a word",
		(before) => {
			expect(findSecrets(`x${before}${GOOGLE}`)).toEqual([]);
		},
	);
});

test.each(["_ok", "-test", ".txt", "_2"])("a token of a fixed length goes on with %s", (added) => {
	const tokens = vendorSecrets().filter(([rule]) =>
		["google", "sendgrid", "telegram"].includes(rule),
	);
	for (const [, token] of tokens) {
		const [found] = findSecrets(`a_${token}${added} b`);
		expect(found?.value.startsWith(token)).toBe(true);
	}
	expect(findSecrets(`${GOOGLE}x8${added}`)).toEqual([]);
});

test("the token of a bot in an address", () => {
	const token = `123456789:AA${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q"}`;
	expect(findSecrets(`https://api.telegram.org/bot${token}/getMe`)).toMatchObject([
		{ value: token },
	]);
});

test("what only begins like a vendor's token is not one", () => {
	const md5 = "d41d8cd98f00b204e9800998ecf8427e";
	const texts = [
		`cache-key-${md5}`,
		`asset_key-${md5}`,
		`${md5}-us-east-1`,
		`taSK${md5}`,
		`a_SK${md5}`,
		"re_compile_internal_with_some_flags",
		"my_secret_aB3".padEnd(60, "xY7"),
		"1//0 rounds down",
		"client_secret_".padEnd(60, "aB3"),
		"Private-Lines: 2\nhello there\nwords",
		"sig=unsigned",
	];
	expect(texts.flatMap((text) => findSecrets(text))).toEqual([]);
});

test("every rule is one that marks name, and no mark names another", () => {
	const rules = new Set([
		"env",
		"config",
		"url",
		"notify",
		"secret",
		"jwt",
		"private-key",
		...TOKEN_KINDS.map(({ rule }) => rule),
	]);
	expect([...MARK_RULES].sort()).toEqual([...rules].sort());
});
