import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVAL, sendsBack, stage } from "../acceptance/stage.ts";
import { type SparProcess, startSpar } from "../support/spar.ts";
import { openPage, withBrowser } from "./open-page.ts";

withBrowser();

/** The address that `spar ui --json` prints. */
async function addressOf(ui: SparProcess): Promise<string> {
	const line = (): string => ui.output().stdout.split("\n")[0] ?? "";
	await expect.poll(line).toContain("url");
	const { url } = JSON.parse(line()) as { readonly url: string }; // The contract's one line.
	return url;
}

test("a run is watched from its start to a question, answered, resumed, merged and landed in the page", async () => {
	const set = stage({
		human: true,
		steps: [
			{
				role: "player",
				turn: 1,
				// It prints, and waits until the test has seen it.
				run: 'echo "reading the task"; until [ -e "$HOME/go" ]; do sleep 0.05; done; echo one >> work.txt',
			},
			{ role: "player", run: "echo two >> work.txt" },
			{
				role: "coach",
				turn: 1,
				report: sendsBack({ issue: "the second line is missing", severity: "major" }),
			},
			{
				role: "coach",
				report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
			},
		],
		task: { max_turns: 1 },
	});
	const { repo } = set;
	const ui = startSpar(repo, ["ui", "--no-open", "--json"]);
	try {
		const { page, problems } = await openPage(await addressOf(ui));
		await page.getByText("Nothing waits for you").waitFor();
		const run = startSpar(repo, ["run", "--json"]);

		await page.getByRole("link", { name: "Runs" }).first().click();
		await page.locator(".run-row:not(.head)").click();
		await page.locator(".task-row:not(.head)").click();
		await page.locator('.steps .live[data-node="player_turn"]').waitFor();
		await page.getByRole("link", { name: "Output" }).click();
		await page.getByText("reading the task").waitFor();
		writeFileSync(join(repo.home, "go"), "");

		await page.getByRole("link", { name: "Inbox 1" }).click();
		// The task's page has the finding, too, and keys of its own.
		await page.getByRole("heading", { name: "Your answer" }).waitFor();
		await page.getByText("the second line is missing").first().waitFor();
		expect((await run.ended).code).toBe(3);
		await page.getByText("+one").waitFor();
		await page.keyboard.press("2");
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: "Answered" }).waitFor();

		await page.getByRole("button", { name: "Resume …" }).click();
		await page.getByRole("button", { name: "Resume", exact: true }).click();
		await page.getByRole("link", { name: "Runs" }).first().click();
		await page.locator(".run-row:not(.head)").click();
		await page.getByText("merged into", { exact: false }).first().waitFor();
		await page.getByRole("button", { name: "Land …" }).click();
		await page.getByRole("button", { name: "Land", exact: true }).click();
		await page.locator(".title-line > .badge", { hasText: "landed" }).waitFor();

		expect(repo.git("show", "main:work.txt")).toBe("one\ntwo");
		expect(problems).toEqual([]);
	} finally {
		ui.child.kill("SIGINT");
		await ui.ended;
	}
});
