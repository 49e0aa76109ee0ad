import type { ComponentChildren, JSX } from "preact";

interface PartProps {
	readonly title: string;
	readonly children: ComponentChildren;
	readonly heading?: "h2" | "h3";
	readonly kind?: string;
	/** Shown when the reader asks for it. */
	readonly isFolded?: boolean;
}

export function Part({
	title,
	children,
	heading: Heading = "h2",
	kind = "",
	isFolded = false,
}: PartProps): JSX.Element {
	if (isFolded) {
		return (
			<details class={`part ${kind}`.trim()}>
				<summary>
					<Heading>{title}</Heading>
				</summary>
				{children}
			</details>
		);
	}
	return (
		<section class={`part ${kind}`.trim()}>
			<Heading>{title}</Heading>
			{children}
		</section>
	);
}
