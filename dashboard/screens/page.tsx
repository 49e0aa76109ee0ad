import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Inbox } from "../../src/web/protocol.ts";
import { api, sessionEnded } from "../net/api.ts";
import { live, liveState } from "../net/live.ts";
import { type Resource, useResource } from "../net/resource.ts";
import { isOpening, session, sessionRefusal } from "../net/session.ts";
import { Refused } from "../parts/refused.tsx";
import { title } from "../parts/title.ts";
import { link, route } from "../route.ts";
import { CalibrationScreen } from "./calibration.tsx";
import { InboxScreen } from "./inbox.tsx";
import { PlanScreen } from "./plan.tsx";
import { RunScreen } from "./run.tsx";
import { RunsScreen } from "./runs.tsx";
import { TaskScreen } from "./task.tsx";

const NAVIGATION = [
	{ screens: ["inbox"], href: link(), name: "Inbox" },
	{ screens: ["runs", "run", "task"], href: link("runs"), name: "Runs" },
	{ screens: ["plan"], href: link("plan"), name: "Plan" },
	{ screens: ["calibration"], href: link("calibration"), name: "Calibration" },
] as const;

const LIVE_WORDS = { live: "live", connecting: "connecting …", paused: "paused" } as const;

function Header({ waiting }: { readonly waiting: number }): JSX.Element {
	const { screen } = route.value;
	return (
		<header class="top">
			<a class="brand" href={link()}>
				Sparring
			</a>
			<nav aria-label="Screens">
				{NAVIGATION.map(({ screens, href, name }) => (
					<a
						key={name}
						href={href}
						aria-current={screens.some((one) => one === screen) ? "page" : undefined}
					>
						{name}
						{name === "Inbox" && waiting > 0 && (
							<>
								{" "}
								<span class="count">{waiting}</span>
							</>
						)}
					</a>
				))}
			</nav>
			<span class="where" title={session.value?.root}>
				{session.value?.repository}
			</span>
			<span class={`live-state ${liveState.value}`} role="status">
				{LIVE_WORDS[liveState.value]}
			</span>
		</header>
	);
}

function Screen({ inbox }: { readonly inbox: Resource<Inbox> }): JSX.Element {
	const at = route.value;
	switch (at.screen) {
		case "inbox":
			return <InboxScreen inbox={inbox} chosen={at.item} at={at.at} />;
		case "runs":
			return <RunsScreen key={at.filter} filter={at.filter} />;
		case "run":
			return <RunScreen key={at.run} run={at.run} />;
		case "task":
			return <TaskScreen key={`${at.run} ${at.task}`} {...at} />;
		case "plan":
			return <PlanScreen />;
		case "calibration":
			return <CalibrationScreen />;
	}
}

function LivePage(): JSX.Element {
	const inbox = useResource<Inbox>(api("inbox"));
	const main = useRef<HTMLElement>(null);
	const items = inbox.value.value?.items ?? [];
	const waiting = items.filter(({ replaced_by: newer }) => newer === null).length;
	useEffect(() => live.start(), []);
	const count = waiting === 0 ? "" : `(${waiting}) `;
	const name = `${count}${title.value} · Sparring`;
	useEffect(() => {
		document.title = name;
	}, [name]);
	return (
		<>
			<button type="button" class="skip" onClick={() => main.current?.focus()}>
				Skip to the content
			</button>
			<Header waiting={waiting} />
			<main id="main" tabIndex={-1} ref={main}>
				<Screen inbox={inbox} />
			</main>
		</>
	);
}

function Closed(): JSX.Element {
	return (
		<main class="closed">
			<h1>Sparring</h1>
			<p>This page has no session with the server, or the session has ended.</p>
			<p>
				Run <code>spar ui</code> in the repository, and open the address that it prints. The code in
				it can be used once, for 60 seconds.
			</p>
			<Refused refusal={sessionRefusal.value} />
		</main>
	);
}

export function Page(): JSX.Element {
	if (sessionEnded.value || sessionRefusal.value !== null) return <Closed />;
	if (isOpening.value) {
		return (
			<main class="closed">
				<h1>Sparring</h1>
				<p class="dim">Opening …</p>
			</main>
		);
	}
	return <LivePage />;
}
