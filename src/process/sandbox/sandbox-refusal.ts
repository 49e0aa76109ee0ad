import { findExecutable } from "./find-executable.ts";
import type { RuntimeRefusal } from "./runtime-client.ts";

/** Why this machine has no sandbox. */
export interface SandboxRefusal {
	readonly available: false;
	/** Such as `bubblewrap (bwrap) is not installed`. */
	readonly reason: string;
	/** What to do, as a sentence. */
	readonly fix: string;
}

/** The tested version. Any release of the package may change its API. */
const PACKAGE = "@anthropic-ai/sandbox-runtime@0.0.83";

const refusal = (reason: string, fix: string): SandboxRefusal => ({
	available: false,
	reason,
	fix,
});

/** @param platform as in `process.platform` @returns null where there is a sandbox */
export function unsupported(platform: string): SandboxRefusal | null {
	if (platform === "linux" || platform === "darwin") return null;
	return refusal(
		`there is no sandbox for ${platform}`,
		"Run Sparring on Linux or macOS, or in a container or virtual machine of its own.",
	);
}

/** Checks for the programs that the sandbox needs. @returns null when all are on the `PATH` */
export function missingPrograms(
	platform: string,
	env: Readonly<Record<string, string>>,
): SandboxRefusal | null {
	const needed =
		platform === "linux"
			? [
					["bwrap", "bubblewrap (bwrap)"],
					["socat", "socat"],
					["which", "which"],
				]
			: [["sandbox-exec", "sandbox-exec"]];
	const missing = needed.filter(
		([program]) => findExecutable(program ?? "", env["PATH"] ?? "") === null,
	);
	if (missing.length === 0) return null;
	const names = missing.map(([, name]) => name).join(" and ");
	return refusal(
		`${names} ${missing.length === 1 ? "is" : "are"} not installed`,
		platform === "linux"
			? "Install bubblewrap, socat and which, for example with `apt-get install bubblewrap socat`, `dnf install bubblewrap socat which` or `pacman -S bubblewrap socat which`."
			: "Add /usr/bin to the PATH; macOS has sandbox-exec there.",
	);
}

const FORBIDDEN =
	/operation not permitted|permission denied|no permissions to create|creating new namespace|uid map|CAP_SETFCAP|no space left on device/i;

/** Explains a message of the runtime or of the trial. */
export function refusalOf({ missing, message }: RuntimeRefusal): SandboxRefusal {
	if (missing) {
		return refusal(
			"the package @anthropic-ai/sandbox-runtime is not installed",
			`Install it beside Sparring: npm install ${PACKAGE}`,
		);
	}
	const reason = message.replaceAll(/\s+/g, " ").slice(0, 400);
	if (FORBIDDEN.test(message)) {
		return refusal(
			`this system forbids the namespaces that the sandbox needs (${reason})`,
			"Allow unprivileged user namespaces (on Ubuntu 24.04 and newer: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`). In a container, allow it to create user namespaces.",
		);
	}
	return refusal(reason, "See docs/architecture/sandbox.md for what the sandbox needs.");
}
