import { assertNever } from "../../kernel/assert-never.ts";
import type { VerifierNews } from "../../machines/serve-verifier.ts";
import { commandOf } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { wholeNumberTo } from "../terminal/option-values.ts";
import { workflowSource } from "../terminal/workflow-source.ts";

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

export const command = commandOf<{ readonly slots?: number }>(
	{
		examples: ["spar verifier", "spar verifier --slots 4", "spar verifier --slots 2 --json"],
		page: "verification",
		argument: ["[file]", "workflow file that says how it is asked (default: sparring.yaml)"],
		options: {
			"--slots <n>": ["verify so much at once (default: 1)", wholeNumberTo(MOST_SLOTS)],
			"--json": "print each request and result as a line of JSON",
		},
	},
	async (shell, { slots = 1, json }, file) => {
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
	},
);
