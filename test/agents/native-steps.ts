import type { HarnessName } from "../../src/workflow/harnesses.ts";
import type { Step } from "../model-server/exchange.ts";

/** What `APPROVES` says, as far as a parser asks for it. */
export const APPROVAL = { decision: "approve", rationale: "All is there." };
/** A coach's whole report. */
export const APPROVES: Step = {
	kind: "structured",
	value: {
		...APPROVAL,
		challenger_approved: true,
		requirements_status: [],
		findings_status: [],
		suspicions_status: [],
		attempts: [],
		feedback_items: [],
	},
};
/** A player's whole report. */
export const WORK_DONE: Step = {
	kind: "structured",
	value: {
		files_modified: [],
		files_created: ["planted.txt"],
		tests_written: [],
		implementation_notes: "Done.",
		concerns: [],
		disputes: [],
	},
};

/** The tool with which each harness writes, called even where it is not offered. */
export function nativeWrite(name: HarnessName, path: string): Step {
	const content = "planted\n";
	switch (name) {
		case "claude":
			return { kind: "call", tool: "Write", input: { file_path: path, content } };
		case "codex": {
			const patch = `*** Begin Patch\n*** Add File: ${path}\n+planted\n*** End Patch\n`;
			return { kind: "call", tool: "apply_patch", input: patch };
		}
		case "gemini":
			return { kind: "call", tool: "write_file", input: { file_path: path, content } };
		case "opencode":
			return { kind: "call", tool: "write", input: { filePath: path, content } };
	}
}

/** The tool with which each harness runs a command, called even where it is not offered. */
export function nativeShell(name: HarnessName, command: string): Step {
	const described = { command, description: "A command" };
	switch (name) {
		case "claude":
			return { kind: "call", tool: "Bash", input: described };
		case "codex":
			return { kind: "call", tool: "exec_command", input: { cmd: command } };
		case "gemini":
			return { kind: "call", tool: "run_shell_command", input: described };
		case "opencode":
			return { kind: "call", tool: "bash", input: described };
	}
}
