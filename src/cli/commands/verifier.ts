import type { VerifierNews } from "../../app/verifier/serve-verifier.ts";
import { assertNever } from "../../kernel/assert-never.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { interruptible } from "../interrupt.ts";
import type { Shell } from "../shell.ts";
import { wholeNumberTo } from "../whole-number.ts";
import { workflowSource } from "../workflow-source.ts";

interface VerifierFlags {
	readonly slots?: number;
	readonly json?: boolean;
}

const MOST_SLOTS = 256;

export function newsLine(news: VerifierNews): string {
	switch (news.kind) {
		case "serving":
			return `serves on ${news.where}, ${news.slots} at once; press Ctrl-C to end it`;
		case "request":
			return `${news.task}, turn ${news.turn} of run ${news.run}: asked`;
		case "result": {
			const why = news.why === null ? "" : `: ${news.why}`;
			const seconds = (news.ms / 1_000).toFixed(1);
			const how = news.outcome.replaceAll("_", " ");
			return `${news.task}, turn ${news.turn} of run ${news.run}: ${how} after ${seconds} s${why}`;
		}
		case "notice":
			return news.text;
		default:
			return assertNever(news);
	}
}

/** `spar verifier`: verifies for runs in other processes until it is interrupted, which hands back what it works on. */
async function verifier(
	shell: Shell,
	file: string | undefined,
	{ slots = 1, json }: VerifierFlags,
): Promise<number> {
	const onNews = (news: VerifierNews): void => {
		if (json === true) shell.out.write(`${JSON.stringify(news)}\n`);
		else shell.out.print(`${newsLine(news)}\n`);
	};
	const source = workflowSource(file, {});
	await interruptible(
		shell,
		(signal) => shell.serveVerifier({ source, slots, onNews }, signal),
		(text) => shell.err.print(`${text}\n`),
	);
	return EXIT.done;
}

export const command: CliCommand = {
	examples: ["spar verifier", "spar verifier --slots 4", "spar verifier --slots 2 --json"],
	page: "verification",
	define: (command, shell, finish) => {
		command
			.argument("[file]", "workflow file that says how it is asked (default: sparring.yaml)")
			.option("--slots <n>", "verify so much at once (default: 1)", wholeNumberTo(MOST_SLOTS))
			.option("--json", "print each request and result as a line of JSON")
			.action(async (file: string | undefined, flags: VerifierFlags) => {
				finish(await verifier(shell, file, flags));
			});
	},
};
