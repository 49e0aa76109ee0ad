import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secretsInText, secretsOf } from "./secrets.ts";

const valuesOf = (source: Record<string, string>, names: string[] = []): string[] =>
	secretsOf(source, names).map(({ value }) => value);
const valuesIn = (text: string): string[] => secretsInText([text]).map(({ value }) => value);

describe("secrets of the environment", () => {
	test.each([
		["ANTHROPIC_API_KEY", "sk-ant-123"],
		["GITHUB_TOKEN", "ghp_abc"],
		["DB_PASSWORD", "correct"],
		["PGPASSWORD", "correct"],
		["SMTP_PASSWD", "correct"],
		["CLIENT_SECRET", "/base64+starting=with=slash"],
		["GOOGLE_CREDENTIALS", "{}"],
		["AWS_ACCESS_KEY_ID", "AKIA0123456789ABCDEF"],
		["MY_PRIVATE_THING", "a1b2c3d4"],
		["apiKey", "abc"],
		["OPENAI_APIKEY", "abc"],
		["SESSION_COOKIE", "c0ffee"],
		["BASIC_AUTH", "abcdefghijklmnopqrstuvwxyz"],
		...["DB_PASS", "MYSQL_PWD", "SMTP_PW", "PGPASS", "GITHUB_PAT", "SENTRY_DSN", "JWT"].map(
			(name): [string, string] => [name, "zebra-crossing"],
		),
		...["MASTERKEY", "ENCKEY", "SECRETKEY", "CONNECTION_STRING", "SESSION_KEY", "LICENSE_KEY"].map(
			(name): [string, string] => [name, "zebra-crossing"],
		),
		["APP_KEY", "base64:abc="],
		["STRIPE_SK", "a1b2c3d4"],
		["DEPLOY_WEBHOOK", "https://hooks.example/a/b1c2d3e4f5a6b7c8"],
	])("%s is one", (name, value) => {
		expect(valuesOf({ [name]: value })).toEqual([value]);
	});

	test.each([
		["PWD", "/home/me"],
		["OLDPWD", "/home/me"],
		["BUILD_PWD", "/home/me"],
		["GOPATH", "/home/me/go"],
		["COMPASS", "north-east"],
		["BYPASS_CACHE", "everything"],
		["WEBHOOK_PORT", "8080"],
		["WEBHOOK_HOST", "hooks2.example.com"],
		["SSH_AUTH_SOCK", "/run/ssh-1/agent.1"],
		["XDG_SESSION_ID", "3"],
		["XDG_SESSION_TYPE", "wayland"],
		["DESKTOP_SESSION", "gnome"],
		["AWS_CREDENTIALS_FILE", "/home/me/aws"],
		["SSH_KEY_PATH", "~/.ssh/id"],
		["PRIVATE_SOCKET", "unix:/run/user/1000/x"],
		["GIT_AUTHOR_NAME", "somebody"],
		["XAUTHORITY", "/run/user/0/xauth"],
		["KEYBOARD_LAYOUT", "de"],
		["TOKENIZERS_PARALLELISM", "false"],
		["API_TOKEN", ""],
	])("%s=%s is none", (name, value) => {
		expect(valuesOf({ [name]: value })).toEqual([]);
	});

	test("a variable that the workflow names is one, whatever it is called", () => {
		expect(secretsOf({ PLAIN: "value-of-plain" }, ["PLAIN"])).toEqual([
			{ value: "value-of-plain", rule: "env" },
		]);
	});

	test("passwords in URLs are found in any variable, as they stand and decoded", () => {
		expect(valuesOf({ https_proxy: "http://me:p%40ssw0rd@proxy:8080" })).toEqual([
			"p%40ssw0rd",
			"p@ssw0rd",
		]);
		expect(valuesOf({ DATABASE_URL: "postgres://app:s3cr%zz@db/x" })).toEqual(["s3cr%zz"]);
	});

	test("credentials in queries and paths of webhooks are found in any variable", () => {
		expect(valuesOf({ A: "https://x/y?token=Q7xaa9Bc1d%2F&b=1" })).toEqual([
			"Q7xaa9Bc1d%2F",
			"Q7xaa9Bc1d/",
		]);
		expect(valuesOf({ A: "https://x/y?sv=1&sig=Q7xaa9Bc1dEf" })).toEqual(["Q7xaa9Bc1dEf"]);
		const path = "/services/T0000001/B0000001/a1B2c3D4e5F6";
		expect(valuesOf({ A: `https://hooks.slack.com${path}` })).toEqual([path]);
		expect(valuesOf({ A: "https://x/y?keyword=something9&page=12345678" })).toEqual([]);
	});

	test("a long login without a password is a token, a short one is a name", () => {
		expect(valuesOf({ A: "https://ghp_0123456789abcdefghij@github.com" })).toHaveLength(1);
		expect(valuesOf({ A: "https://me@github.com" })).toEqual([]);
	});

	test("a password that equals its login is a name", () => {
		expect(valuesOf({ DATABASE_URL: "postgres://postgres:postgres@localhost/x" })).toEqual([]);
	});

	test("the lines of a private key are secrets of their own", () => {
		const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----\n";
		expect(valuesOf({ DEPLOY_KEY: key })).toEqual(["MIIEvQIBADANBgkqhkiG"]);
	});

	test("an undefined variable is none", () => {
		expect(secretsOf({ API_KEY: undefined }, [])).toEqual([]);
	});
});

describe("secrets in configuration", () => {
	test.each([
		["curl --token=abcd1234 x", "abcd1234"],
		["tool --api-key abcd1234", "abcd1234"],
		["tool --api-key 'two words'", "two words"],
		["MY_TOKEN=abcd1234 npm test", "abcd1234"],
		['export DB_PASSWORD="quoted one"', "quoted one"],
		["git clone https://me:passw0rd@host/x", "passw0rd"],
		['curl -H "Authorization: Bearer abc.def-123"', "abc.def-123"],
	])("%s", (text, value) => {
		expect(valuesIn(text)).toEqual([value]);
	});

	test.each([
		"tool --token $MY_TOKEN",
		"MY_TOKEN=$(cat token) npm test",
		"tool --api-key --verbose",
		"tool --password-file /run/secrets/x",
		"tool --key ./server.pem",
		"npm test -- --filter=auth",
		"API_KEY= npm test",
	])("none in %s", (text) => {
		expect(valuesIn(text)).toEqual([]);
	});

	test("any text is read without error, and every secret stands in it or decodes from it", () => {
		fc.assert(
			fc.property(fc.array(fc.string()), (texts) => {
				for (const { value } of secretsInText(texts)) expect(value).not.toBe("");
			}),
		);
	});
});
