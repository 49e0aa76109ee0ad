import { script } from "@bomb.sh/tab";
import { Argument } from "commander";
import type { CliCommand } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { printJson } from "../terminal/shell.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

// The library can print to the console only.
export function printedBy(work: () => void): string {
	const lines: string[] = [];
	const { console: target } = globalThis;
	const printed = Object.getOwnPropertyDescriptor(target, "log");
	target.log = (line: unknown) => void lines.push(String(line));
	try {
		work();
	} finally {
		Object.defineProperty(target, "log", printed ?? {});
	}
	return `${lines.join("\n")}\n`;
}

// Works without the package bash-completion.
const BASH_WORDS = `if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref -n "=:" cur prev words cword
    else
        words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]}
    fi`;

// Quoted: what a person has typed is not run before they press Enter.
const BASH_REQUEST = `printf -v requestComp ' %q' "\${words[@]:1:cword}"
    requestComp="spar complete --$requestComp"`;

// The library's script cannot be read twice, needs a further package, and offers no files.
const BASH_CHANGES: readonly (readonly [part: string, instead: string])[] = [
	["readonly ", ""],
	['_get_comp_words_by_ref -n "=:" cur prev words cword', BASH_WORDS],
	[`requestComp="spar complete -- \${words[@]:1}"`, BASH_REQUEST],
	["complete -F ", "complete -o default -F "],
];

export function completionScript(shell: (typeof SHELLS)[number]): string {
	const text = printedBy(() => script(shell, "spar", "spar"));
	if (shell !== "bash") return text;
	return BASH_CHANGES.reduce((changed, [part, instead]) => changed.replaceAll(part, instead), text);
}

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
