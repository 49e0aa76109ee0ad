import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { currentManPage } from "../scripts/man-page.ts";
import { thorough } from "./support/amount.ts";

const MAN = new URL("../man/spar.1", import.meta.url);

test("the manual page is up to date: npm run man", async () => {
	expect(readFileSync(MAN, "utf8")).toBe(await currentManPage());
});

test("the manual page has no line that roff would take for a request of its own", () => {
	const requests = readFileSync(MAN, "utf8").match(/^[.'].*$/gm) ?? [];
	expect(requests.length).toBeGreaterThan(100);
	expect(requests.filter((line) => !/^\.(TH|SH|SS|TP|B|I|PP|nf|fi)\b/.test(line))).toEqual([]);
});

test("the package names the page in a list, as npm links no other", () => {
	const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
	expect(JSON.parse(manifest)).toMatchObject({ man: ["./man/spar.1"] });
});

thorough("mandoc and groff, where they are installed, have nothing to say against it", () => {
	const page = MAN.pathname;
	const mandoc = spawnSync("mandoc", ["-Tlint", "-Wwarning", page], { encoding: "utf8" });
	const groff = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-z", page], { encoding: "utf8" });
	const ran = [mandoc, groff].filter(({ error }) => error === undefined);
	expect(ran.map(({ stdout, stderr }) => stdout + stderr).join("")).toBe("");
});
