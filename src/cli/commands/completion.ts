import { Argument } from "commander";
import type { CliCommand } from "../command.ts";
import { completionScript, SHELLS } from "../completion-script.ts";
import { EXIT } from "../exit-code.ts";
import { printJson } from "../shell.ts";

export const command: CliCommand = {
	examples: [
		"source <(spar completion bash)",
		"spar completion zsh > ~/.zsh/completions/_spar",
		"spar completion fish > ~/.config/fish/completions/spar.fish",
	],
	define: (command, shell, finish) => {
		command
			.addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
			.option("--json", "print JSON")
			// Commander has compared the argument with the list.
			.action((name: (typeof SHELLS)[number], flags: { readonly json?: boolean }) => {
				const script = completionScript(name);
				if (flags.json === true) printJson(shell, { shell: name, script });
				else shell.out.write(script);
				finish(EXIT.done);
			});
	},
};
