import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { findSecrets } from "./find-secrets.ts";
import { labelledSecrets, puttyKey, vendorSecrets } from "./planted-texts.fixture.ts";
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

thorough("a search that reads the rest of the text at every place is noticed", () => {
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

const V = "Zx9cv8Kq7mQ4r2T6yU1iO3pW";

const valuesIn = (text: string): string[] => [
	...new Set(findSecrets(text).map(({ value }) => value)),
];

const ESC = "\u001b";
const SPELLINGS: readonly (readonly [name: string, text: string])[] = [
	["JSON, a line end behind it", JSON.stringify({ o: `A=1\nDB_PASSWORD=${V}\nTERM=x` })],
	["JSON, a tab behind it", JSON.stringify({ o: `token=${V}\tx` })],
	["JSON in JSON", JSON.stringify(JSON.stringify({ o: `DB_PASSWORD=${V}\r\nB=2` }))],
	["an equals sign as JSON escapes it", `{"u":"x\\u003fpassword\\u003d${V}"}`],
	["an ampersand as JSON escapes it", `{"u":"https://x?token=${V}\\u0026b=1"}`],
	["an element as JSON escapes it", `\\u003cpassword\\u003e${V}\\u003c/password\\u003e`],
	["colours around the value", `{ password: ${ESC}[32m'${V}'${ESC}[39m }`],
	["colours around the name", `${ESC}[32mDB_PASSWORD${ESC}[0m=${V}${ESC}[0m`],
	["colours in the name", `${ESC}[35m.env${ESC}[m:DB_${ESC}[01;31m${ESC}[KPASSWORD${ESC}[m=${V}`],
	["colours that are spelled out", `{"o":"password: \\u001b[32m'${V}'\\u001b[39m"}`],
	["quotes of XML", `<f m="password=&quot;${V}&quot; bad"/>`],
	["single quotes of XML", `<f m="token: &#39;${V}&#39;"/>`],
	["elements of XML in XML", `&lt;password&gt;${V}&lt;/password&gt;`],
	["a section of XML", `<password><![CDATA[${V}]]></password>`],
];

describe("a value is found however a program spells what is around it", () => {
	test.each(SPELLINGS)("%s", (_, text) => {
		expect(valuesIn(text)).toEqual([V]);
	});
});

const FORMS: readonly string[] = [
	`["cli","--token","${V}"]`,
	`['cli', '--token', '${V}']`,
	`ENV DB_PASSWORD ${V}\n`,
	`set -x API_TOKEN ${V}\n`,
	`#define PASSWORD "${V}"`,
	`const API_KEY: &str = "${V}";`,
	`const apiKey string = "${V}"`,
	`const token: string | null = '${V}';`,
	`password?: string = "${V}"`,
	`char password[] = "${V}";`,
	`process.env.API_TOKEN ?? "${V}"`,
	`os.environ.get("API_TOKEN", "${V}")`,
	`process.env["API_TOKEN"] || "${V}"`,
	`SECRET_KEY = b"${V}"`,
	`SECRET_KEY = """${V}"""`,
	`define('DB_PASSWORD', '${V}');`,
	`ds.setPassword("${V}");`,
	`os.Setenv("API_TOKEN", "${V}")`,
	`ALTER USER a WITH PASSWORD '${V}';`,
	`CREATE USER a IDENTIFIED BY '${V}';`,
	`- name: DB_PASSWORD\n  value: ${V}\n`,
	`{"name":"DB_PASSWORD","value":"${V}"}`,
	`<add key="ApiKey" value="${V}"/>`,
	`variable "db_password" {\n  default = "${V}"\n}`,
	`machine x login me password ${V}`,
	`curl -u me:${V} https://x`,
	`sshpass -p ${V} ssh x`,
	`sshpass -p'${V}' ssh x`,
	`Cookie: sessionid=${V}; a=b`,
	`| password | ${V} |`,
	`password: |\n  ${V}\n`,
	`**Password:** ${V}`,
	`PW=${V}`,
	`GH_PAT=${V}`,
	`[password] => ${V}\n`,
];

describe("a value is found in every form of an assignment", () => {
	test.each(FORMS)("%s", (text) => {
		expect(valuesIn(text)).toEqual([V]);
		expect(valuesIn(JSON.stringify({ text }))).toEqual([V]);
	});
});

test("a login in base64, as Docker keeps it", () => {
	const login = Buffer.from(`me:${V}`).toString("base64");
	expect(valuesIn(`{"auths":{"x":{"auth": "${login}"}}}`)).toEqual([login]);
	expect(valuesIn(`{"auth": "${Buffer.from("no login here").toString("base64")}"}`)).toEqual([]);
});

test("a UUID is a secret behind a token's name and an equals sign only", () => {
	const uuid = "550e8400-e29b-41d4-a716-446655440000";
	expect(valuesIn(`//registry.example/:_authToken=${uuid}`)).toEqual([uuid]);
	expect(valuesIn(`token: ${uuid}`)).toEqual([]);
	expect(valuesIn(`token = ${uuid}`)).toEqual([]);
	expect(valuesIn(`token_ref=${uuid}`)).toEqual([]);
});

test.each([
	"popen(pass_fds=fds_to_keep)",
	"self._credential_cls = credential_cls",
	"credential_provider=crt_credentials_provider)",
	"Token.Number: '#ansigreen'",
	"TOKEN_PREFIX = 'k8s-aws-v1.'",
	'publicKeyToken="1fc8b3b9a1e18e3b"',
	"secretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod-AbC123",
	'tokenAddress = "0xdAC17F958D2ee523a2206206994597C13D831ec7"',
	'token: "k8s.io/api/v1beta1"',
	'pass: "2025-11-22T05:00:00Z"',
	'render_pass="gbuffer_2x_msaa"',
	"private_key: ~/.ssh/id_ed25519",
	"'id_ecdsa_sk', 'id_ed25519'",
	'"MLKEM768X25519PrivateKey", "MLKEM768X25519PublicKey"',
	'"iam:GetAccessKeyLastUsed", "iam:GetGroup2Policy1"',
	'"SessionId": "Jane-Roe-07a16060613c408b5"',
	'{"token":1.2345678901e5,"x":1}',
	'{"x":["password=",1.5e10,2.5e3,1e9],"y":1}',
	"sort -u a1b2:c3d4e5f6g7",
	"docker run -u nobody:nogroup x",
	"PASS [password] tests/a1b2.test.ts (3.2s)",
	"pw2.k1x2y3z4w5v6",
	"#define Tk_TimerToken\t\tTcl_Timer1Token2",
	'#define SN_SinglePass_sha1kdf_scheme "dhSinglePass-stdDH-sha1kdf-scheme"',
	'#define MASTER_SECRET "\\x6d\\x61\\x73\\x74"',
	"Ed448PrivateKey | X25519PrivateKey | X448PrivateKey",
	"const TOKEN = /a1b2c3d4e5\\d+/",
])("none in %s", (text) => {
	expect(valuesIn(text)).toEqual([]);
});

const PIECES = [
	"password",
	"token",
	"--secret",
	"_pat",
	'auth"',
	" -u",
	"curl",
	"name:",
	"value",
	"default",
	"=",
	":",
	"|",
	"||",
	"??",
	"(",
	")",
	",",
	"[",
	"]",
	"{",
	"}",
	"<",
	">",
	"&quot;",
	"&gt;",
	"'",
	'"',
	'\\"',
	"\\n",
	"\\u003d",
	"\\u001b[32m",
	`${ESC}[0m`,
	"\n",
	" ",
	"\t",
	"**",
	V,
	"1e5",
];

test("whatever stands together, findings lie in the text, and JSON stays JSON without them", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
			const text = JSON.stringify({ a: pieces.join(""), b: [1.5e10, pieces.join(" ")] });
			for (const { start, end, value } of findSecrets(text)) {
				expect(text.slice(start, end)).toBe(value);
				expect(() => void JSON.parse(text.slice(0, start) + text.slice(end))).not.toThrow();
			}
		}),
		{ numRuns: amount(300) },
	);
});

test.each([
	"password=",
	"password:",
	"token |",
	'token="',
	"token=&quot;",
	"pw ",
	"secret,\n\n\n\n\n\n",
	"curl -u a:b",
	'auth":"aaaa',
	"secret: a b c d",
	`token${ESC}[0m${ESC}[0m`,
	"token\\n\\n\\n",
	"login x password ",
	"ENV token ",
	'pass(\\\\"',
	"secret\u0009\u0009\u0009\u0009",
	"a: password ? ",
])("the time for %j over and over is bounded, and twice the text takes twice the time", (unit) => {
	expectLinear(unit.repeat(5_000));
});
