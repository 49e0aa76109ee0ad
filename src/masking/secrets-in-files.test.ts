import { expect, test } from "vitest";
import { secretsInFile } from "./secrets-in-files.ts";

const values = (path: string, text: string): string[] =>
	secretsInFile(path, text).map(({ value }) => value);

test("values of settings are secret, and words, numbers and places are not", () => {
	const env = `# comment
CURRENCY=EUR
export API_KEY="k-1234567890"
NODE_ENV=production
PORT=3000
DATA_DIR=/srv/data
BASE_URL=https://example.org/api
DATABASE_URL=postgres://app:s3cret-login@db/app
GREETING='hello private world' # said first
EMPTY=
NAME=blue-heron-42
`;
	expect(new Set(values("config/.env.test", env))).toEqual(
		new Set(["k-1234567890", "s3cret-login", "hello private world", "blue-heron-42"]),
	);
});

test("JSON, YAML and TOML are read, and a name that says so makes a word a secret", () => {
	const json = {
		db: { password: "correcthorse", port: 5432, debug: true },
		hosts: ["db-1.internal-net"],
	};
	expect(new Set(values("local.json", JSON.stringify(json)))).toEqual(
		new Set(["correcthorse", "db-1.internal-net"]),
	);
	expect(values("a.yaml", "db:\n  token: abcdefgh-1\n  mode: development\n")).toContain(
		"abcdefgh-1",
	);
	expect(values("a.toml", 'secret = "qwertyuiop"\n')).toContain("qwertyuiop");
});

test("a file of one line is its value, and data is no secret", () => {
	expect(values("secrets/token", "ab12-cd34-ef56\n")).toContain("ab12-cd34-ef56");
	expect(values("fixtures/poem.txt", "two lines\nof text-1234\n")).toEqual([]);
	expect(values("big.json", `["${"x1".repeat(40_000)}"]`)).toEqual([]);
});
