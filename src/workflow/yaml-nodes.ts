import type { Alias, Document, Pair, YAMLMap } from "yaml";
import { isAlias, isMap, isScalar, isSeq, visit } from "yaml";
import type { Path } from "../kernel/fields.ts";

export type AnyPair = Pair<unknown, unknown>;

export function startOf(node: unknown): number | undefined {
	return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)
		? node.range?.[0]
		: undefined;
}

export function keyOf(pair: AnyPair): string {
	return isScalar(pair.key) ? String(pair.key.value) : "";
}

export class YamlNodes {
	readonly #root: unknown;
	readonly #targets = new WeakMap<Alias, unknown>();
	readonly #indexes = new WeakMap<YAMLMap, ReadonlyMap<string, AnyPair>>();

	constructor(document: Document.Parsed) {
		this.#root = document.contents;
		const anchors = new Map<string, unknown>();
		visit(document, {
			Alias: (_key, alias) => {
				this.#targets.set(alias, anchors.get(alias.source));
			},
			Value: (_key, node) => {
				if (node.anchor !== undefined) anchors.set(node.anchor, node);
			},
		});
	}

	/** The node itself, or what it stands for when it is an alias; undefined without its anchor. */
	resolve(node: unknown): unknown {
		return isAlias(node) ? this.#targets.get(node) : node;
	}

	mergeSources(pair: AnyPair): YAMLMap[] | undefined {
		const value = this.resolve(pair.value);
		const sources = isSeq(value) ? value.items : [value];
		const maps = sources.map((each) => this.resolve(each)).filter((each) => isMap(each));
		return maps.length === sources.length ? maps : undefined;
	}

	/** Offset of a path's key or value; for what is not there, of the key or list item around it. */
	offset(path: Path, part: "key" | "value"): number {
		let node = this.#root;
		let around = 0;
		for (const step of path) {
			const pair = this.#pair(node, step);
			const item = this.#item(node, step);
			if (pair === undefined && item === undefined) return around;
			around = startOf(pair === undefined ? item : pair.key) ?? around;
			node = pair === undefined ? item : pair.value;
		}
		return part === "key" ? around : (startOf(node) ?? around);
	}

	#pair(node: unknown, step: string | number): AnyPair | undefined {
		const map = this.resolve(node);
		return isMap(map) ? this.#index(map).get(String(step)) : undefined;
	}

	#item(node: unknown, step: string | number): unknown {
		const list = this.resolve(node);
		return isSeq(list) && typeof step === "number" ? list.items[step] : undefined;
	}

	/** Pairs by key as they count: the last of equal keys, own ones before merged ones, and the first merged one. */
	#index(map: YAMLMap): ReadonlyMap<string, AnyPair> {
		const known = this.#indexes.get(map);
		if (known !== undefined) return known;
		const index = new Map<string, AnyPair>();
		// Before it is filled, so that a mapping that merges itself ends here.
		this.#indexes.set(map, index);
		const [merges, own] = [true, false].map((isMerge) =>
			map.items.filter((pair) => (keyOf(pair) === "<<") === isMerge),
		);
		for (const source of (merges ?? []).flatMap((pair) => this.mergeSources(pair) ?? []))
			for (const [key, pair] of this.#index(source)) if (!index.has(key)) index.set(key, pair);
		for (const pair of own ?? []) index.set(keyOf(pair), pair);
		return index;
	}
}
