import type { SandboxProbe } from "../../process/sandbox/open-sandbox.ts";
import { brokenLine, type DoctorLine, soundLine, warningLine } from "../../seats/doctor-line.ts";
import type { SandboxPolicy } from "../../workflow/workflow.ts";

const OPEN =
	"agents and checks run with your own rights: they read and change what you can, files that git ignores (.env), other checkouts, Sparring's records, hidden tests and sign-ins included";

/** @param mode of the workflow; undefined without one */
export function sandboxLine(
	mode: SandboxPolicy["mode"] | undefined,
	probe: SandboxProbe,
): DoctorLine {
	const name = "sandbox";
	if (mode === "off") {
		const [detail, fix] = probe.available
			? [`off: ${OPEN}, though this machine could confine them`, "Write `sandbox: auto`."]
			: [`off: ${OPEN}; this machine could not confine them: ${probe.reason}`, probe.fix];
		return warningLine(name, detail, fix);
	}
	const before = mode === undefined ? "" : `${mode}: `;
	if (probe.available) return soundLine(name, `${before}${probe.detail}`);
	return mode === "required"
		? brokenLine(name, `required, so nothing runs: ${probe.reason}`, probe.fix)
		: warningLine(name, `${before}not here, so ${OPEN}: ${probe.reason}`, probe.fix);
}

/** The end of processes that an agent or a check leaves behind. */
export function leftoverLine(platform: string, isConfined: boolean): DoctorLine {
	const name = "leftover processes";
	if (platform !== "linux") {
		const limit =
			"ended with their call: its process group and descendants; a process that detaches itself may stay";
		return warningLine(name, limit, "Have agents and checks start no background services.");
	}
	const detail = isConfined
		? "all ended with their call, which has its own process namespace"
		: "ended with their call: its process group, its descendants, processes with Sparring's marker in their environment, and those that work in its checkout; one that escapes all of these within about 50 ms may stay";
	return soundLine(name, detail);
}
