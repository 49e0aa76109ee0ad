import type { JSX } from "preact";
import type { CalibrationReply } from "../../src/web/protocol.ts";
import { plain } from "../../src/words/states.ts";
import { counted, share } from "../format/numbers.ts";
import { api } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { Badge } from "../parts/badge.tsx";
import { Refused } from "../parts/refused.tsx";

type Calibration = CalibrationReply["groups"][number];
type Bucket = Calibration["buckets"][number];

const WIDTH = 160;
const HEIGHT = 18;

/** The interval as a bar on a line from 0 to 1, the share in it, and the mean score as a mark. */
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

function Row({ bucket }: { readonly bucket: Bucket }): JSX.Element {
	const { from, to, count, good, mean, interval, verdict } = bucket;
	const tone = verdict === "fits" ? "good" : verdict === "too few" ? "quiet" : "attention";
	return (
		<tr>
			<th scope="row" class="number">
				{from.toFixed(1)} to {to.toFixed(1)}
			</th>
			<td class="number">{count}</td>
			<td class="number">{good}</td>
			<td class="number">{share(mean)}</td>
			<td class="number">{share(bucket.share)}</td>
			<td class="number">
				{interval === null ? "–" : `${share(interval.low)} to ${share(interval.high)}`}
			</td>
			<td>
				<IntervalBar bucket={bucket} />
			</td>
			<td>
				<Badge word={verdict} tone={tone} />
			</td>
		</tr>
	);
}

function Group({ group }: { readonly group: Calibration }): JSX.Element {
	const { agent, metric, count, waiting, unscored, buckets } = group;
	const more = [
		...(waiting === 0 ? [] : [`${waiting} without an outcome yet`]),
		...(unscored === 0 ? [] : [`${unscored} without a value`]),
	];
	return (
		<section class="part">
			<h2>
				{plain(metric)} <span class="dim">{agent}</span>
			</h2>
			<p class="dim">{[`${counted(count, "score")} with an outcome`, ...more].join(", ")}</p>
			<div class="scroll" tabIndex={0}>
				<table class="grid" aria-label={`Calibration of ${metric} by ${agent}`}>
					<thead>
						<tr>
							<th scope="col" class="number">
								Score
							</th>
							<th scope="col" class="number">
								Number
							</th>
							<th scope="col" class="number">
								Good
							</th>
							<th scope="col" class="number">
								Mean score
							</th>
							<th scope="col" class="number">
								Share good
							</th>
							<th scope="col" class="number">
								95 % interval
							</th>
							<th scope="col">
								<span class="hidden">Drawing</span>
							</th>
							<th scope="col">Verdict</th>
						</tr>
					</thead>
					<tbody>
						{buckets.map((bucket) => (
							<Row key={bucket.from} bucket={bucket} />
						))}
					</tbody>
				</table>
			</div>
		</section>
	);
}

/** How far scores can be trusted: of those of each height the share that turned out good. */
export function CalibrationScreen(): JSX.Element {
	const calibration = useResource<CalibrationReply>(api("calibration"));
	const groups = calibration.value.value?.groups;
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
