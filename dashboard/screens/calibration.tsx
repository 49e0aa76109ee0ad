import type { JSX } from "preact";
import type { CalibrationReply } from "../../src/web/protocol.ts";
import { scoresText } from "../../src/words/evidence-text.ts";
import { plain, type Tone } from "../../src/words/states.ts";
import { share } from "../format/numbers.ts";
import { api } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { Badge } from "../parts/badge.tsx";
import { Grid } from "../parts/grid.tsx";
import { Refused } from "../parts/refused.tsx";
import { useTitle } from "../parts/title.ts";

type Calibration = CalibrationReply["told"][number];
type Bucket = Calibration["buckets"][number];

const WIDTH = 160;
const HEIGHT = 18;

function IntervalBar({ bucket }: { readonly bucket: Bucket }): JSX.Element | null {
	const { interval, share: good, mean } = bucket;
	if (interval === null || good === null) return null;
	const x = (value: number): number => 4 + value * (WIDTH - 8);
	return (
		<svg width={WIDTH} height={HEIGHT} aria-hidden="true" class="interval">
			<path class="base" d={`M${x(0)} 9H${x(1)}`} />
			<path class="span" d={`M${x(interval.low)} 9H${x(interval.high)}`} />
			<circle cx={x(good)} cy={9} r={3.5} />
			{mean !== null && <path class="mean" d={`M${x(mean)} 2V16`} />}
		</svg>
	);
}

function verdictTone(verdict: Bucket["verdict"]): Tone {
	if (verdict === "fits") return "good";
	return verdict === "too few" ? "quiet" : "attention";
}

function Group({ group }: { readonly group: Calibration }): JSX.Element {
	const { agent, metric, buckets } = group;
	return (
		<section class="part">
			<h2>
				{plain(metric)} <span class="dim">{agent}</span>
			</h2>
			<p class="dim">{scoresText(group)}</p>
			<Grid
				label={`Calibration of ${metric} by ${agent}`}
				rows={buckets}
				columns={[
					["Score", ({ from, to }) => `${from.toFixed(1)} to ${to.toFixed(1)}`, "number"],
					["Number", (bucket) => bucket.count, "number"],
					["Good", ({ good }) => good, "number"],
					["Mean score", ({ mean }) => share(mean), "number"],
					["Share good", (bucket) => share(bucket.share), "number"],
					[
						"95 % interval",
						({ interval }) =>
							interval === null ? "–" : `${share(interval.low)} to ${share(interval.high)}`,
						"number",
					],
					[<span class="hidden">Drawing</span>, (bucket) => <IntervalBar bucket={bucket} />],
					["Verdict", ({ verdict }) => <Badge word={verdict} tone={verdictTone(verdict)} />],
				]}
			/>
		</section>
	);
}

export function CalibrationScreen(): JSX.Element {
	const calibration = useResource<CalibrationReply>(api("verbs", "calibration"));
	useTitle("Calibration");
	const groups = calibration.value.value?.told;
	return (
		<div class="screen">
			<header class="screen-head">
				<h1>Calibration</h1>
				<p class="dim">
					How often scored work turned out good, by the height of its score. A score fits when the
					mean lies in the interval of that share.
				</p>
			</header>
			<Refused refusal={calibration.refusal.value} />
			{groups?.length === 0 && <p>No scores yet. They come with the overlay confidence_loop.</p>}
			{groups?.map((group) => (
				<Group key={`${group.agent} ${group.metric}`} group={group} />
			))}
		</div>
	);
}
