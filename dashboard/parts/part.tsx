import type { ComponentChildren, JSX } from "preact";

interface PartProps {
	readonly title: string;
	readonly children: ComponentChildren;
	readonly heading?: "h2" | "h3";
	readonly kind?: string;
}

export function Part({
	title,
	children,
	heading: Heading = "h2",
	kind = "",
}: PartProps): JSX.Element {
	return (
		<section class={`part ${kind}`.trim()}>
			<Heading>{title}</Heading>
			{children}
		</section>
	);
}
