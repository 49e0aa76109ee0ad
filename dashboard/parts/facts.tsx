import type { ComponentChildren, JSX } from "preact";

export function Facts({
	of,
}: {
	readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
	return (
		<dl class="facts">
			{of
				.filter(([, value]) => value !== null)
				.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
		</dl>
	);
}
