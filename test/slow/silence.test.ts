import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVES, dataOf, stage, textLike, WORKS } from "../acceptance/stage.ts";
import { sparProcess } from "../support/spar.ts";

/** A machine whose clock its agent sets. */
const preload = join(import.meta.dirname, "../support/ill-machine.mjs");

/** Each pass takes three seconds of the machine's clock; nobody ends it but Sparring. */
const RECONNECTS = [
	"nth=0",
	"while :; do",
	'printf \'{"type":"error","message":"Reconnecting... %s/5"}\\n\' $nth',
	"nth=$((nth + 1))",
	'echo $((nth * 3000)) > "$HOME/clock"',
	"sleep 0.02",
	"done",
].join("\n");

test("a harness that reconnects is told of, and asks a person after two minutes", async () => {
	const { repo, trace, agents } = stage({
		human: true,
		steps: [{ role: "player", call: 1, run: RECONNECTS }, WORKS, APPROVES],
	});
	const { code, stderr } = await sparProcess(repo, ["run"], { preload });
	expect(stderr).toMatch(
		/no progress of player dev for (?:1[5-9]s|[2-9]\ds|[12]m[^;]*); it says: Reconnecting/,
	);
	expect(code).toBe(3);
	expect(dataOf(trace(), "call-retrying")).toHaveLength(1);
	expect(dataOf(trace(), "agent-failed")).toMatchObject([
		{ failure: "network", message: textLike("two minutes of network errors: Reconnecting") },
	]);
	expect(dataOf(trace(), "item-opened")).toMatchObject([
		{ trigger: "role_error", reason: textLike("two minutes of network errors") },
	]);
	expect(agents.calls().map(({ event }) => event)).toEqual(["start"]);
});
