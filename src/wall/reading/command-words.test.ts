import { expect, test } from "vitest";
import { executedWords } from "./command-words.ts";

test.each([
	["sh agents/dev.sh", ["agents/dev.sh"]],
	["bash -eu coach.sh --fast", ["coach.sh"]],
	['sh -c "exec node tools/coach > out.txt"', ["tools/coach"]],
	["sh -c ./run.sh", ["./run.sh"]],
	["KEY=a/b tools/agent README.md", ["tools/agent"]],
	["env python3 ai/coach.py rules.md", ["ai/coach.py"]],
	["sh 'my check.sh'", ["my check.sh"]],
	["node --import ./x.mjs main.js", ["./x.mjs"]],
])("%s runs %j", (command, words) => {
	expect([...executedWords(command)]).toEqual(words);
});

test.each([
	"sh -c echo x >> made.txt",
	"sh -c cat notes/a.md > notes/b.md",
	"claude -p look at src/main.js",
	"python3 -m pytest tests/a.py",
	"node -e 1 a/b",
	"sh",
])("%s runs no file of the checkout", (command) => {
	expect([...executedWords(command)]).toEqual([]);
});
