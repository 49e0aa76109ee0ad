import type { JSX } from "preact";
import type { VerificationView as Verification } from "../../src/web/protocol.ts";
import { Badge } from "../parts/badge.tsx";
import { Grid } from "../parts/grid.tsx";
import { Words } from "../parts/words.tsx";
import { OutputOf } from "./output-of.tsx";

export function VerificationView({
	verification,
	run,
	task,
}: {
	readonly verification: Verification;
	readonly run: string;
	readonly task: string;
}): JSX.Element {
	const { verdict, required, reasons, tests, log, attempts } = verification;
	return (
		<div>
			<p>
				<Badge word={verdict} />{" "}
				<span class="dim">
					{required ? "required" : "not required"}
					{attempts === 1 && ", failed once"}
					{attempts > 1 && `, failed ${attempts} times in a row`}
				</span>{" "}
				{verification.run !== null && <code>{verification.run}</code>}
				{log !== null && <OutputOf place={{ run, task, path: log }} />}
			</p>
			{reasons.map((reason) => (
				<Words key={reason} text={reason} />
			))}
			{tests.length > 0 && (
				<Grid
					label="Independent tests"
					rows={tests}
					columns={[
						["Test", ({ name }) => name],
						["File", ({ path }) => <code>{path}</code>],
						["Result", ({ status }) => <Badge word={status} />],
					]}
				/>
			)}
		</div>
	);
}
