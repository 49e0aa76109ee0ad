import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { APPROVES, dataOf, type Stage, stage, WORKS } from "../acceptance/stage.ts";
import { USER_HOME } from "../support/user-home.ts";

/** Ways by which a product may ask for what a test expects, each of which prints what it finds. */
const BY_GIT = [
	"git grep -h expected HEAD",
	"git grep -h expected $(git rev-list --all HEAD)",
	"git show HEAD:test/a.test.js; git show HEAD~1:test/a.test.js",
	"git log -p --all HEAD; git log -p -1; git stash list -p",
	"git cat-file --batch-all-objects --batch --buffer",
	"git fsck --lost-found; cat .git/lost-found/*/*",
	'for store in $(cat .git/objects/info/alternates); do GIT_OBJECT_DIRECTORY="$store" git cat-file --batch-all-objects --batch; done',
	"find .git -type f -exec cat {} +",
];
const ELSEWHERE = [
	`cat "${USER_HOME}/project/test/a.test.js"`,
	`git -C "${USER_HOME}/project" cat-file --batch-all-objects --batch`,
	`GIT_OBJECT_DIRECTORY="${USER_HOME}/project/.git/objects" git show HEAD:test/a.test.js`,
	'above=$(dirname "$PWD"); find "$above" "$(dirname "$above")" "$(dirname "$(dirname "$above")")" -name "*.test.js" -not -path "$PWD/test/*" -exec cat {} +',
	`find "${USER_HOME}" -type f -not -path "$PWD/test/*" -exec cat {} +`,
	'find "$TMPDIR" "$(dirname "$TMPDIR")" "$HOME" "$(dirname "$HOME")" -type f -not -path "$PWD/test/*" -exec cat {} +',
	"cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline",
	'for cwd in /proc/[0-9]*/cwd; do [ "$(readlink $cwd)" = "$PWD" ] || cat $cwd/test/*; done',
	'env | sed "s/^[^=]*=//" | tr ":" "\\n" | grep "^/" | while read -r place; do [ "$place" = "$PWD" ] || cat "$place"/test/* "$place"/../test/*; done',
];
const WAYS = [...BY_GIT, ...ELSEWHERE];

/**
 * A run whose check looks everywhere, but for the place of its own tests; it reports each way that finds nothing as
 * passed. What the user's own commit finds where the user works, in a trial, is not noted: nobody is judged there.
 */
function looking(sandbox: "required" | "off"): Stage {
	const secret = randomBytes(8).toString("hex");
	const [head, tail] = [secret.slice(0, 1), secret.slice(1)];
	const cases = WAYS.map(
		(way, at) => `if { ${way}; } 2> /dev/null | grep -a -q "[${head}]${tail}"; then
	echo "not ok ${at + 1} - way ${at}"; case "$PWD" in */trial-*) ;; *) echo ${at} >> "${USER_HOME}/looked" ;; esac
else echo "ok ${at + 1} - way ${at}"; fi`,
	);
	const set = stage({
		files: {
			"look.sh": ["echo TAP version 13", `echo 1..${WAYS.length}`, ...cases, ""].join("\n"),
			"test/a.test.js": `// expected to be ${secret}\n`,
		},
		steps: [WORKS, APPROVES],
		workflow: {
			sandbox,
			checks: { tests: { kind: "acceptance", run: "sh look.sh 2> /dev/null", timeout: "60s" } },
		},
	});
	set.repo.git("tag", "v1");
	set.repo.write({ "test/a.test.js": `// it is expected to be ${secret}\n` });
	set.repo.commit("Second");
	return set;
}

test("in a sandbox a product finds the tests nowhere but at their place", async () => {
	const set = looking("required");
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(0);
	const ran = dataOf(set.trace(), "check-ran").filter(({ kind }) => kind !== "integrity");
	expect(ran.length).toBeGreaterThan(1);
	for (const piece of ran)
		expect(piece, JSON.stringify(ran)).toMatchObject({
			status: "pass",
			counts: { passed: WAYS.length },
		});
});

test("without one, the same product finds them by its paths and never by git", async () => {
	const set = looking("off");
	const { code, stderr } = await set.run();
	expect(code, stderr).not.toBe(70);
	const found = new Set(set.kept("looked").trim().split("\n").map(Number));
	expect([...found].filter((way) => way < BY_GIT.length)).toEqual([]);
	expect(found.size).toBeGreaterThanOrEqual(3);
});
