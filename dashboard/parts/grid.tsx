import type { ComponentChildren, JSX } from "preact";

type Column<Row> = readonly [
	name: ComponentChildren,
	cell: (row: Row) => ComponentChildren,
	kind?: "number" | "wide" | "wide words",
];

export function Grid<Row>({
	label,
	columns,
	rows,
	kind = "",
}: {
	readonly label: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	readonly kind?: string;
}): JSX.Element {
	return (
		<div class="scroll" tabIndex={0}>
			<table class={`grid ${kind}`.trim()} aria-label={label}>
				<thead>
					<tr>
						{columns.map(([name, , kindOf], index) => (
							<th key={index} scope="col" class={kindOf === "number" ? kindOf : undefined}>
								{name}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, index) => (
						<tr key={index}>
							{columns.map(([, cell, kindOf], nth) =>
								nth === 0 ? (
									<th key={nth} scope="row" class={kindOf}>
										{cell(row)}
									</th>
								) : (
									<td key={nth} class={kindOf}>
										{cell(row)}
									</td>
								),
							)}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
