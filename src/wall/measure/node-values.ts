/** Printing of values by structure, and their alterations. Names of `node-probe.ts` are in reach; no line comments, since it is put on one line. */
export const NODE_VALUES = String.raw`
const MAX_TEXT = 80;
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const isObject = (value) => typeof value === "object" && value !== null;
const isPlain = (value) => {
	if (!isObject(value) || Array.isArray(value)) return false;
	const proto = Object.getPrototypeOf(value);
	return proto === null || (Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "hasOwnProperty"));
};
const isError = (value) => !types.isProxy(value) && (types.isNativeError(value) || value instanceof Error);
const fieldsOf = (value) => Object.entries(Object.getOwnPropertyDescriptors(value)).map(([key, field]) => [key, stored.has(field.get) ? { ...field, value: stored.get(field.get)() } : field]).filter(([, field]) => field.enumerable && "value" in field);
const className = (value) => {
	const { constructor } = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value) ?? {});
	return constructor?.value?.name ?? constructor?.get?.call(value)?.name ?? tag(value);
};
const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 8);
const neutral = (text) => places.reduce((made, [place, by]) => made.replace(place, by), text);
const short = (text) => {
	const line = text.replace(/[#\\\r\n]/g, " ");
	return line.length > MAX_TEXT ? line.slice(0, MAX_TEXT - 12) + "..." + digest(text) : line;
};
const print = (root) => {
	let left = 4000;
	const above = [];
	const list = (values) => values.map(one).join(", ");
	const fields = (value) => "{" + fieldsOf(value).map(([key, field]) => key + ": " + one(field.value)).join(", ") + "}";
	const parts = (value) => {
		if (Array.isArray(value)) return "[" + list(Array.from(value)) + "]";
		if (types.isDate(value)) return "Date(" + Date.prototype.getTime.call(value) + ")";
		if (types.isRegExp(value)) return String(RegExp.prototype.toString.call(value));
		if (types.isMap(value)) return "Map{" + Array.from(Map.prototype.entries.call(value), ([key, of]) => one(key) + ": " + one(of)).join(", ") + "}";
		if (types.isSet(value)) return "Set{" + list(Array.from(Set.prototype.values.call(value))) + "}";
		if (types.isTypedArray(value)) return tag(value) + "[" + Array.prototype.slice.call(value, 0, 1000).join(", ") + "]";
		if (types.isPromise(value)) return "Promise";
		if (types.isNativeError(value)) return className(value) + "(" + value.message + ")" + fields(value);
		return isPlain(value) ? fields(value) : className(value) + fields(value);
	};
	const one = (given) => {
		const value = raw(given);
		if (typeof value === "string") return JSON.stringify(value);
		if (typeof value === "bigint") return value + "n";
		if (typeof value === "function") return "[" + (value.name || "function") + "]";
		if (!isObject(value)) return Object.is(value, -0) ? "-0" : String(value);
		if (types.isProxy(value)) return "<proxy>";
		if (above.includes(value)) return "<cycle>";
		left -= 1;
		if (left < 0 || above.length > 12) return "<more>";
		above.push(value);
		try {
			return parts(value);
		} catch {
			return "<unreadable>";
		} finally {
			above.pop();
		}
	};
	return neutral(safely(() => one(root), "<unreadable>"));
};
const swapped = (text) => text.replace(/\p{L}/u, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const PATH = /^(?:[\w.@~-]*[\\/])+[\w.@ -]*$/;
const texts = (text) => {
	const middle = text.length >> 1;
	const replaced = text.slice(0, middle) + (text[middle] === "x" ? "y" : "x") + text.slice(middle + 1);
	if (/^-?\d+(?:\.\d+)?$/.test(text)) return [text + "x", Number(text)];
	return PATH.test(text) ? [text + "x"] : [text + "x", "x" + text, replaced, swapped(text), text.slice(0, -1), text + " "];
};
const numbers = (value) => {
	if (!Number.isFinite(value)) return [0];
	return [...(Number.isInteger(value) ? [] : [value + Math.abs(value) / 1000]), value + 1, value - 1, String(value)];
};
const first = (value) => (isObject(raw(value)) && !types.isProxy(value) ? shallow(raw(value)) : alterations(value))[0]?.make;
/* What is empty is altered into what is empty, too: nothing else tells one from the other. */
const scalars = (value) => {
	if (value === 0) return [...numbers(value), null];
	if (typeof value === "number") return numbers(value);
	if (value === "") return [...texts(value), undefined];
	if (typeof value === "bigint") return [value + 1n, value - 1n];
	if (typeof value === "string") return texts(value);
	if (typeof value === "boolean") return [!value];
	if (value === undefined) return [null, "x", false];
	return value === null ? [undefined, "x", false] : [];
};
const copied = (value, key, by) => {
	const fields = Object.getOwnPropertyDescriptors(value);
	fields[key] = { value: by, enumerable: true, configurable: true, writable: true };
	return Object.create(Object.getPrototypeOf(value), fields);
};
const another = (value, keys, read, put) =>
	keys.flatMap((key) => (first(read(value, key)) === undefined ? [] : [{ words: "gives another " + key, make: (from) => put(from, key, first(read(from, key))(read(from, key))) }]));
const lists = (value) => [
	...(value.length === 0 ? [] : [{ words: "gives one element less", make: (from) => from.slice(0, -1) }]),
	{ words: "gives one element more", make: (from) => [...from, from.at(-1)] },
	...(print(value) === print([...value].reverse()) ? [] : [{ words: "gives its elements reversed", make: (from) => [...from].reverse() }]),
	...(value.length === 0 ? [{ words: "gives undefined", make: () => undefined }, { words: 'gives ""', make: () => "" }] : []),
	...another(value, [...value.keys()].slice(0, 4), (from, at) => from[at], (from, at, by) => from.with?.(at, by) ?? Object.assign([...from], { [at]: by })),
];
const whole = (value) => {
	const cut = (make) => (from) => {
		const parts = [...from];
		return new (Object.getPrototypeOf(from).constructor)(make(parts));
	};
	if (types.isMap(value))
		return value.size === 0 ? [{ words: "gives one entry more", make: cut((parts) => [...parts, ["x", "x"]]) }] : [
			{ words: "gives one entry less", make: cut((parts) => parts.slice(0, -1)) },
			{ words: "gives one entry more", make: cut((parts) => [...parts, ["x", "x"]]) },
			...another(value, [...value.keys()].filter((key) => !isObject(key)).slice(0, 8), (from, key) => from.get(key), (from, key, by) => new Map(from).set(key, by)),
		];
	if (types.isSet(value))
		return [
			...(value.size === 0 ? [] : [{ words: "gives one element less", make: cut((parts) => parts.slice(0, -1)) }]),
			{ words: "gives one element more", make: cut((parts) => [...parts, "x"]) },
		];
	if (types.isDate(value)) return [
		{ words: "gives a later time", make: (from) => new Date(from.getTime() + 1000) },
		{ words: "gives a later year", make: (from) => new Date(from.getTime() + 34304461001) },
	];
	if (types.isTypedArray(value) && value.length > 0) return [{ words: "gives another last element", make: (from) => { const made = Object.getPrototypeOf(Uint8Array.prototype).slice.call(from); made[made.length - 1] ^= 1; return made; } }];
	if (types.isRegExp(value)) return [{ words: "gives what matches nothing", make: (from) => new RegExp("(?!)", from.flags) }];
	return [{ words: "gives null", make: () => null }];
};
const keysOf = (value) => {
	if (types.isProxy(value)) return [];
	if (Array.isArray(value)) return [...value.keys()];
	if (isPlain(value)) return fieldsOf(value).map(([key]) => key);
	return types.isMap(value) ? [...value.keys()].filter((key) => !isObject(key)) : [];
};
const read = (from, key) => (types.isMap(from) ? from.get(key) : from[key]);
const replaced = (from, key, by) => {
	if (types.isMap(from)) return new Map(from).set(key, by);
	return Array.isArray(from) ? Object.assign([...from], { [key]: by }) : copied(from, key, by);
};
/* Members of members, by their paths. */
const nested = (value, depth = 1) =>
	keysOf(value).slice(0, 8).flatMap((key) => {
		const part = raw(read(value, key));
		const grown = types.isProxy(part) || !isPlain(part) ? [] : [
			[key + ".x", (from) => replaced(from, key, copied(raw(read(from, key)), "x", "x"))],
			...(fieldsOf(part).length > 0 ? [] : [[key + ", a list", (from) => replaced(from, key, [])]]),
		];
		if (isObject(part)) return depth > 4 ? [] : [...grown, ...nested(part, depth + 1).map(([path, change]) => [key + "." + path, (from) => replaced(from, key, change(read(from, key)))])];
		const change = depth > 1 && first(part);
		return change ? [[String(key), (from) => replaced(from, key, change(read(from, key)))]] : [];
	});
const deep = (value) => nested(value).slice(0, 8).map(([path, make]) => ({ words: "gives another " + path, make }));
const shallow = (value) => {
	if (Array.isArray(value)) return lists(value);
	if (!isPlain(value)) return whole(value);
	const keys = fieldsOf(value).map(([key]) => key);
	const grown = { words: "gives one key more", make: (from) => copied(from, "x", "x") };
	if (keys.length === 0) return [grown, { words: "gives an empty list", make: () => [] }];
	return [...another(value, keys.slice(0, 8), read, copied), grown, { words: "gives one key more, undefined", make: (from) => copied(from, "x", undefined) }];
};
const objects = (value) => [...shallow(value), ...deep(value)];
const alterations = (given) => {
	const value = raw(given);
	if (types.isProxy(value)) return [];
	if (isObject(value)) return objects(value);
	const made = new Map(scalars(value).map((by) => ["gives " + short(print(by)), by]));
	made.delete("gives " + short(print(value)));
	return [...made].map(([words, by]) => ({ words, make: () => by }));
};
const errorLike = (error, proto, message) => {
	const { name, stack, message: _, ...fields } = Object.getOwnPropertyDescriptors(error);
	const made = Object.defineProperties(new Error(message), fields);
	return Object.setPrototypeOf(made, proto);
};
const isRangeError = (error) => isObject(error) && (Object.getOwnPropertyDescriptor(error, "constructor")?.value?.name === "RangeError" || isRangeError(Object.getPrototypeOf(error)));
const aboveOf = (error) => Object.getPrototypeOf(Object.getPrototypeOf(error) ?? {});
const throws = (error) => [
	{ words: "does not throw", make: () => ({ value: undefined }) },
	...(isError(error) ? [
		{ words: "throws a longer message", make: (from) => ({ error: errorLike(from, Object.getPrototypeOf(from), "x" + from.message + "x") }) },
		{ words: "throws another message", make: (from) => ({ error: errorLike(from, Object.getPrototypeOf(from), "x") }) },
		{ words: "throws another class", make: (from) => ({ error: errorLike(from, isRangeError(from) ? TypeError.prototype : RangeError.prototype, from.message) }) },
		...(aboveOf(error) instanceof Error ? [{ words: "throws a " + className(Object.create(aboveOf(error))), make: (from) => ({ error: errorLike(from, aboveOf(from), from.message) }) }] : []),
	] : []),
];
`;
