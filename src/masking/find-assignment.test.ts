import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import { findSecrets } from "./find-secrets.ts";
import { expectLinear } from "./worst-texts.fixture.ts";

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
