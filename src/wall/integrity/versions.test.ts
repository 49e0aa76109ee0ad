import { expect, test } from "vitest";
import { onlyVersions } from "./versions.ts";

const BASE = `on: push
jobs:
  matrix:
    name:
    - Node.js 24.x
    include:
    - name: Node.js 24.x
      node-version: "24"
    python-version: [3.8, 3.9]
    exclude:
      - os: macos
        python-version: 3.4
      - python-version: [3.1]
    skip-versions: [3.0]
    since-version: 1
  steps:
    - uses: actions/checkout@v4 # v4
    - run: npm test
`;

test.each([
	["an action of another version", "@v4 # v4", "@v5"],
	["a runtime of another version", '"24"', '"22"'],
	["one more in a list", "3.9]", '3.9, "3.10"]'],
])("%s is a version alone", (_what, from, to) => {
	expect(onlyVersions(BASE, BASE.replace(from, to))).toBe(true);
});

test.each([
	["an action of a branch", "@v4 # v4", "@main"],
	["another action", "actions/checkout@v4", "other/checkout@v5"],
	["an action more", "    - run", "    - uses: actions/cache@v4\n    - run"],
	["one less in a list", "3.8, 3.9", "3.9"],
	["one less in a matrix", "    - Node.js 24.x\n", ""],
	["a step", "npm test", "true"],
	["a step and a version", "v4 # v4\n    - run: npm test", "v5\n    - run: true"],
	["lines in another order", "on: push\njobs:\n", "jobs:\non: push\n"],
	["an entry more of a matrix", "    include:", "    - Node.js 25.x\n    include:"],
	["a version that is left out", "3.4", "3.9"],
	["more versions that are left out", "[3.1]", "[3.1, 3.2]"],
	["a key of no runtime", "since-version: 1", "since-version: 99"],
	["a word that is no version", "3.8, 3.9", "nothing, 3.8, 3.9"],
	["a path that is ignored", "on: push", "on: push\n    - docs/**"],
])("%s is more", (_what, from, to) => {
	expect(onlyVersions(BASE, BASE.replace(from, to))).toBe(false);
});
