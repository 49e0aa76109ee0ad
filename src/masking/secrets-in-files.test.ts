import { expect, test } from "vitest";
import { secretsInFile } from "./secrets-in-files.ts";

const values = (text: string): string[] => secretsInFile(text).map(({ value }) => value);

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
	expect(new Set(values(env))).toEqual(
		new Set(["k-1234567890", "s3cret-login", "hello private world", "blue-heron-42"]),
	);
});

test("JSON, YAML and TOML are read, and a name that says so makes a word a secret", () => {
	const json = {
		db: { password: "correcthorse", port: 5432, debug: true },
		hosts: ["db-1.internal-net"],
	};
	expect(new Set(values(JSON.stringify(json)))).toEqual(
		new Set(["correcthorse", "db-1.internal-net"]),
	);
	expect(values("db:\n  token: abcdefgh-1\n  mode: development\n")).toContain("abcdefgh-1");
	expect(values('secret = "qwertyuiop"\n')).toContain("qwertyuiop");
});

test("the name of the file does not matter, nor how a value is written", () => {
	expect(values("[default]\naws_secret_access_key = abcdEFGH1234+/zz99\n")).toContain(
		"abcdEFGH1234+/zz99",
	);
	expect(values('import os\nSECRET_KEY = "k9-very-secret-77"\n')).toContain("k9-very-secret-77");
	expect(values("APOS=it's-a-9-secret\nB=1\n")).toContain("it's-a-9-secret");
	expect(values('KEY="line1-aaa-111\nline2-bbb-222"\n')).toContain("line2-bbb-222");
});

test("a file of one line is its value, and data is no secret", () => {
	expect(values("ab12-cd34-ef56\n")).toContain("ab12-cd34-ef56");
	expect(values("two lines\nof text-1234\n")).toEqual([]);
	expect(values(`["${"x1".repeat(40_000)}"]`)).toEqual([]);
});
