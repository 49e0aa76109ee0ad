import type { Step } from "./scripted-agents.ts";

/** A step that the shell cannot play: ids of findings, processes that stay, links and bytes, and very long texts. */
function needsNode({ files = {}, report, stdout, grandchild, hang }: Step): boolean {
	if (grandchild === true || hang === true) return true;
	const reported = report === undefined ? "" : JSON.stringify(report);
	const texts = [stdout ?? "", reported, ...Object.values(files)];
	return texts.some((text) => {
		if (text === null) return false;
		if (typeof text !== "string") return true;
		return text.includes("$ID") || text.includes("\0") || text.length > 100_000;
	});
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

function printed(text: string): string {
	return `printf %s ${quoted(text)}`;
}

const VARIABLES = {
	task: "SPAR_TASK",
	subtask: "SPAR_SUBTASK",
	role: "SPAR_ROLE",
	turn: "SPAR_TURN",
	call: "call",
} as const;

function condition(step: Step): string {
	const tests = (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).flatMap((key) => {
		const wanted = step[key];
		return wanted === undefined ? [] : [`[ "$${VARIABLES[key]}" = ${quoted(String(wanted))} ]`];
	});
	return tests.length === 0 ? "true" : tests.join(" && ");
}

function fileLines([path, content]: readonly [string, string | null]): string[] {
	const file = quoted(path);
	const removed = `if [ -e ${file} ] || [ -L ${file} ]; then rm -rf -- ${file}; fi`;
	if (content === null) return [removed];
	const end = path.lastIndexOf("/");
	const folder = quoted(path.slice(0, end));
	return [
		removed,
		...(end > 0 ? [`[ -d ${folder} ] || mkdir -p -- ${folder}`] : []),
		`${printed(content)} > ${file}`,
	];
}

function reportText(report: unknown): string {
	return typeof report === "string" ? report : JSON.stringify(report);
}

/** An approval that says nothing of suspicions; a list of its own, even an empty one, is left as it is. */
function isPlainApproval(report: unknown): report is object {
	return (
		typeof report === "object" &&
		report !== null &&
		"decision" in report &&
		report.decision === "approve" &&
		!("suspicions_status" in report)
	);
}

function stepLines(step: Step, inNode: string): string[] {
	if (needsNode(step)) return [inNode];
	const { delayMs, files = {}, run, stdout, stderr, report, exit = 0 } = step;
	return [
		// Tasks of tests often write no file of a product: an approving coach takes it for their work, by its id.
		...(isPlainApproval(report)
			? [`case $(cat "$SPAR_CONTEXT") in *'"apparatus_changed"'*) ${inNode} ;; esac`]
			: []),
		"note start",
		...(delayMs === undefined ? [] : [`sleep ${delayMs / 1_000}`]),
		...Object.entries(files).flatMap(([path, content]) =>
			// Links and bytes are left to Node.js.
			content === null || typeof content === "string" ? fileLines([path, content]) : [],
		),
		...(run === undefined ? [] : [`sh -c ${quoted(run)}`]),
		...(stdout === undefined ? [] : [printed(stdout)]),
		...(stderr === undefined ? [] : [`${printed(stderr)} >&2`]),
		...(report === undefined ? [] : [`${printed(reportText(report))} > "$SPAR_REPORT"`]),
		"note end",
		`exit ${exit}`,
	];
}

/**
 * A scripted agent as a shell script, which starts in a millisecond: tests start agents thousands of times. It does
 * what `agent.cjs` does, and leaves to that what the shell cannot do.
 */
export function agentScript(script: {
	readonly log: string;
	readonly steps: readonly Step[];
	/** Command line of the same script in Node.js. */
	readonly inNode: readonly string[];
}): string {
	const log = quoted(script.log);
	const inNode = `exec ${script.inNode.map(quoted).join(" ")}`;
	const about =
		'"run":"%s","task":"%s","subtask":"%s","role":"%s","turn":%s\' "$SPAR_RUN" "$SPAR_TASK" "$SPAR_SUBTASK" "$SPAR_ROLE" "$SPAR_TURN"';
	return [
		`about=$(printf '${about})`,
		`note() { printf '{"event":"%s",%s,"call":%s,"pid":%s}\\n' "$1" "$about" "$call" $$ >> ${log}; }`,
		"call=1",
		// The shell reads the short log itself: a process would take longer.
		`if [ -e ${log} ]; then while IFS= read -r line; do case $line in '{"event":"start",'"$about",*) call=$((call + 1)) ;; esac; done < ${log}; fi`,
		...script.steps.flatMap((step, index) => [
			`${index === 0 ? "if" : "elif"} ${condition(step)}; then`,
			...stepLines(step, inNode),
		]),
		...(script.steps.length === 0 ? [inNode] : ["else", inNode, "fi"]),
		"",
	].join("\n");
}
