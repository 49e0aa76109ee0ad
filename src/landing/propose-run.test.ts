import { expect, test } from "vitest";
import { publishPullRequest, withReport } from "./propose-run.ts";

const REQUEST = {
	forge: { kind: "github", host: "github.com", path: "a/b" },
	base: "main",
	branch: "x",
	title: "x",
	report: "new",
} as const;
const PLACE = { cwd: "/", env: { PATH: "/nowhere" }, signal: undefined };

test("without gh, and on another forge, nobody is asked", async () => {
	expect(await publishPullRequest(REQUEST, PLACE)).toBeNull();
	const forge = { ...REQUEST.forge, kind: "gitlab" } as const;
	expect(await publishPullRequest({ ...REQUEST, forge }, PLACE)).toBeNull();
});

const BEGIN = "<!-- sparring report: what stands between these marks is replaced -->";
const END = "<!-- end of the sparring report -->";

test("what people wrote around the report stays, and a text without the marks is theirs", () => {
	const body = `Please look at F1.\r\n\n${BEGIN}\n\nold ${END} old\n\n${END}\n\nThanks!`;
	expect(withReport(body, "new\n")).toBe(
		`Please look at F1.\r\n\n${BEGIN}\n\nnew\n\n${END}\n\nThanks!`,
	);
	expect(withReport("rewritten", "new")).toBeNull();
	expect(withReport(`${END} ${BEGIN}`, "new")).toBeNull();
});
