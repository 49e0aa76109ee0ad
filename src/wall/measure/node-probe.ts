/**
 * What stands in front of each measured file in JavaScript: one object for all of them in a process, by a name that factories
 * of mocks may use. It needs no import, so that it is the same for every runner and kind of module.
 */
const NODE = String.raw`
globalThis[NAME] ??= (() => {
	const inert = { product: (_name, value) => value, test: (_place, _hooks, fn) => fn, hook: (_at, _kind, fn) => fn, at() {} };
	const builtin = process.getBuiltinModule;
	if (typeof builtin !== "function") return inert;
	const [fs, path, os] = ["node:fs", "node:path", "node:os"].map((name) => builtin(name));
	const { AsyncLocalStorage } = builtin("node:async_hooks");
	const { createHash } = builtin("node:crypto");
	let root = process.cwd();
	while (!fs.existsSync(path.join(root, TOKEN))) {
		if (path.dirname(root) === root) return inert;
		root = path.dirname(root);
	}
	const file = path.join(root, TOKEN);
	const line = (text) => text.replace(/[#\\\r\n\0]/g, " ");
	const emit = (text) => fs.appendFileSync(file, line(text) + "\n");
	const { hrtime } = process;
	const nowMs = () => Number(hrtime.bigint()) / 1e6;
	const { setTimeout, clearTimeout, Proxy, Reflect, Promise } = globalThis;
	const runs = new AsyncLocalStorage();
	const ENDED = new Error("too many calls");
	let left = 5000;

	const places = [...new Set([os.tmpdir(), fs.realpathSync(os.tmpdir())])];
	const cleaned = (text) => {
		let made = text.split(root).join(".").split(TOKEN).join("");
		for (const place of places) if (place.length > 1) made = made.replaceAll(new RegExp(place.replace(/[.+*?^$()[\]{}|\\]/g, "\\$&") + "[\\w./-]*", "g"), "<tmp>");
		return made;
	};
	const bounded = (text) => (text.length <= 80 ? text : text.slice(0, 60) + "... " + createHash("sha256").update(text).digest("hex").slice(0, 8));
	const typeOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
	const protoOf = (value) => Object.getPrototypeOf(value);
	const isPlain = (value) => {
		const proto = protoOf(value);
		return typeOf(value) === "Object" && (proto === null || protoOf(proto) === null);
	};
	const ownValues = (value) => Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([, each]) => each.enumerable && "value" in each).map(([key, each]) => [key, each.value]);
	const classOf = (value) => Object.getOwnPropertyDescriptor(protoOf(value) ?? {}, "constructor")?.value?.name || "Object";
	const inner = (value, depth) => {
		if (typeof value === "string") return JSON.stringify(cleaned(value));
		if (typeof value === "bigint") return value + "n";
		if (typeof value === "function") return "function " + (value.name || "");
		if (Object(value) !== value) return Object.is(value, -0) ? "-0" : String(value);
		if (depth > 3) return "...";
		const each = (some) => [...some].slice(0, 40).map((one) => inner(one, depth + 1)).join(", ");
		const type = typeOf(value);
		if (Array.isArray(value) || ArrayBuffer.isView(value)) return "[" + (type === "DataView" ? "" : each(value)) + "]";
		if (type === "Date" || type === "RegExp") return String(type === "Date" ? +value : value);
		if (type === "Error") return value.name + ": " + cleaned(String(value.message));
		if (type === "Map" || type === "Set") return type + " {" + each(value) + "}";
		const parts = ownValues(value).slice(0, 40).map(([key, one]) => key + ": " + inner(one, depth + 1));
		return (isPlain(value) ? "" : classOf(value) + " ") + "{" + parts.join(", ") + "}";
	};
	const shown = (value) => {
		try {
			return inner(value, 0);
		} catch {
			return "?";
		}
	};

	const given = (value, words = "gives " + bounded(shown(value))) => ({ words, value });
	const ofText = (text) => {
		const at = text.length >> 1;
		const letter = text[at] === "x" ? "y" : "x";
		const cased = text.search(/\p{L}/u);
		const swapped = (one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase());
		const more = [text + "x", "x" + text, text.slice(0, at) + letter + text.slice(at + 1)];
		if (cased >= 0) more.push(text.slice(0, cased) + swapped(text[cased]) + text.slice(cased + 1));
		return (/[/\\]/.test(text) ? [text + "x"] : [...more, text + " "]).map((one) => given(one));
	};
	const ofParts = (value, entries, put) => entries.flatMap(([key, one]) => {
		const [first] = changesOf(one);
		if (first === undefined) return [];
		const copy = Array.isArray(value) ? [...value] : Object.create(protoOf(value), Object.getOwnPropertyDescriptors(value));
		Object.defineProperty(copy, key, { value: first.value, writable: true, enumerable: true, configurable: true });
		return [given(copy, "gives another " + put(key))];
	});
	const ofList = (list) => [
		...(list.length > 0 ? [given(list.slice(0, -1), "gives one element less")] : []),
		given([...list, list.at(-1)], "gives one element more"),
		...(list.length > 1 ? [given(list.toReversed?.() ?? [...list].reverse(), "gives its elements reversed")] : []),
		...ofParts(list, Object.entries(list).slice(0, 4), (key) => "element " + key),
	];
	const changesOf = (value) => {
		switch (typeof value) {
			case "number": {
				if (!Number.isFinite(value)) return [given(0)];
				const small = Number.isInteger(value) ? [] : [given(value + (Math.abs(value) / 1000 || 0.001))];
				return [given(value + 1), given(value - 1), ...small];
			}
			case "bigint": return [given(value + 1n)];
			case "string": return ofText(value);
			case "boolean": return [given(!value)];
			case "undefined": return [given("x")];
			case "object": break;
			default: return [];
		}
		if (value === null) return [given(undefined), given("x")];
		const type = typeOf(value);
		if (Array.isArray(value)) return ofList(value);
		if (type === "Date") return [given(new value.constructor(+value + 1000), "gives a later time")];
		if (type === "Map" || type === "Set") return value.size === 0 ? [] : [given(new value.constructor([...value].slice(0, -1)), "gives one element less")];
		if (/^(?:Uint|Int|Float)\d+(?:Clamped)?Array$/.test(type)) return value.length === 0 ? [] : [given(value.slice(0, -1), "gives one element less")];
		if (!isPlain(value)) return [];
		return [...ofParts(value, ownValues(value).slice(0, 8), String), ...(Object.isFrozen(value) && value.$$typeof ? [] : [given({ ...value, another: "x" }, "gives a key more")])];
	};
	const ofError = (error) => {
		const calm = { words: "does not throw", value: undefined };
		if (typeOf(error) !== "Error") return [calm];
		const other = (words, make) => ({ words, thrown: true, get value() { return make(); } });
		return [
			calm,
			...[["another", "x"], ["a longer", error.message + "x"]].map(([which, value]) => other("throws " + which + " message", () => Object.defineProperty(error, "message", { value, configurable: true, writable: true }))),
			other("throws another class", () => Object.assign(new (class Another extends Error {})(error.message), { name: "Another" })),
		];
	};

	const isNative = (fn) => /\[native code\]/.test(Function.prototype.toString.call(fn));
	const targets = new WeakMap();
	const proxies = new WeakMap();
	const patched = new WeakSet();
	const unwrapped = (value) => targets.get(value) ?? value;
	const SILENT = /^(?:constructor|prototype|then|toJSON|inspect|asymmetricMatch|nodeName|mock)$/;
	const isMocked = (fn) => "mock" in fn || "restore" in fn;

	const settle = (run, call, { value, error, isError }) => {
		const key = call + " = " + (isError ? "! " : "") + bounded(shown(isError ? error : value));
		if (run.trial === null) {
			if (!run.calls.has(key)) run.calls.set(key, { call, changes: (isError ? ofError(error) : changesOf(value)).map(({ words }) => words) });
		} else if (run.trial.key === key) {
			const change = (isError ? ofError(error) : changesOf(value))[run.trial.nth];
			if (change !== undefined) {
				const { value: other } = change;
				if (change.thrown) throw other;
				return other;
			}
		}
		if (isError) throw error;
		return adopted(call, value);
	};
	const called = (name, args, invoke) => {
		const run = runs.getStore();
		if (run === undefined) return adopted(name, invoke());
		if (run.depth > 0 || run.isOver) return invoke();
		run.made += 1;
		if (run.made > run.most) throw ENDED;
		const call = name + "(" + bounded(args.map(shown).join(", ")) + ")";
		let value;
		run.depth += 1;
		try {
			value = invoke();
		} catch (error) {
			run.depth -= 1;
			return settle(run, call, { error, isError: true });
		}
		run.depth -= 1;
		if (typeOf(value) !== "Promise" || value.constructor?.name !== "Promise") return settle(run, call, { value });
		return value.then((value) => settle(run, call, { value }), (error) => settle(run, call, { error, isError: true }));
	};
	const patch = (name, owner) => {
		if (patched.has(owner)) return;
		patched.add(owner);
		for (const key of Object.getOwnPropertyNames(owner)) {
			const found = Object.getOwnPropertyDescriptor(owner, key);
			if (SILENT.test(key) || !found.configurable) continue;
			const { value, get } = found;
			const isMethod = typeof value === "function" && !isMocked(value) && !/^class\b/.test(Function.prototype.toString.call(value));
			if (!isMethod && get === undefined) continue;
			const fn = isMethod ? value : get;
			const words = name + "." + key;
			const own = { [key](...args) { return called(words, args, () => Reflect.apply(fn, this, args)); } }[key];
			for (const part of ["name", "length"]) Object.defineProperty(own, part, { value: fn[part], configurable: true });
			if (isMethod) Object.assign(own, value);
			Object.defineProperty(owner, key, isMethod ? { ...found, value: own } : { ...found, get: own });
		}
	};
	const adopted = (call, value) => {
		if (typeof value === "function") return product(call, value);
		if (Object(value) !== value || Array.isArray(value) || targets.has(value)) return value;
		if (isPlain(value)) {
			if (!Object.isFrozen(value) && ownValues(value).some(([, one]) => typeof one === "function")) patch(call, value);
			return value;
		}
		for (let proto = protoOf(value); proto !== null && typeof proto.constructor === "function" && !isNative(proto.constructor); proto = protoOf(proto)) patch(classOf(value), proto);
		return value;
	};
	const product = (name, value) => {
		const isFunction = typeof value === "function";
		if (Object(value) !== value || targets.has(value)) return value;
		if (proxies.has(value)) return proxies.get(value);
		if (isFunction ? isMocked(value) || isNative(value) : !isPlain(value) && typeOf(value) !== "Module") return isFunction ? value : adopted(name, value);
		if (isFunction && Object(value.prototype) === value.prototype) patch(value.name || name, value.prototype);
		const member = (target, key) => {
			const one = Reflect.get(target, key);
			const own = Object.getOwnPropertyDescriptor(target, key);
			if (Object(one) !== one || typeof key === "symbol" || SILENT.test(key)) return one;
			if (own !== undefined && !own.configurable && own.writable === false) return one;
			if (isFunction && own === undefined) return one;
			return typeof one === "function" || (!isFunction && typeOf(target) === "Module") ? product(isFunction ? name + "." + key : key, one) : one;
		};
		const made = new Proxy(value, {
			get: member,
			apply: (target, self, args) => called(name, args, () => Reflect.apply(target, unwrapped(self), args)),
			construct: (target, args, newTarget) => called("new " + name, args, () => Reflect.construct(target, args, unwrapped(newTarget))),
		});
		proxies.set(value, made);
		targets.set(made, value);
		return made;
	};

	const hooks = new Map();
	const hook = (at, kind, fn) => {
		if (fn.length === 0) hooks.set(at, { ...hooks.get(at), [kind]: [...(hooks.get(at)?.[kind] ?? []), fn] });
		return fn;
	};
	const runHooks = async (self, scopes, kind) => {
		const all = scopes.flatMap((at) => hooks.get(at)?.[kind] ?? []);
		for (const fn of kind === "after" ? all.reverse() : all) await fn.call(self);
	};
	const once = async (run, fn, self, args) => {
		let timer;
		const limit = new Promise((_, reject) => {
			timer = setTimeout(reject, run.limitMs, new Error("it takes too long"));
		});
		try {
			await (run.trial === null ? runs.run(run, () => fn.apply(self, args)) : Promise.race([runs.run(run, () => fn.apply(self, args)), limit]));
			return null;
		} catch (error) {
			return { error };
		} finally {
			run.isOver = true;
			clearTimeout(timer);
		}
	};
	const runOf = (place, trial, made) => ({ calls: new Map(), depth: 0, made: 0, most: trial === null ? Infinity : made * 10 + 1000, trial, place, isOver: false, limitMs: 1000 });
	const test = (place, scopes, fn, why = null) => {
		if (typeof fn !== "function") return fn;
		const own = function (...args) {
			const isLate = typeof args.at(-1) === "function" && args.length === fn.length;
			if (why !== null || isLate || left <= 0) {
				skip(place, why ?? "it cannot be repeated");
				return fn.apply(this, args);
			}
			return measured.call(this, place, scopes, fn, args);
		};
		own.toString = () => fn.toString();
		for (const part of ["name", "length"]) Object.defineProperty(own, part, { value: fn[part], configurable: true });
		return own;
	};
	const skip = (place, why) => fs.appendFileSync(file, "ok - " + line(place) + " > " + line(why) + " # SKIP " + line(why) + "\n");
	async function measured(place, scopes, fn, args) {
		const record = runOf(place, null, 0);
		const first = await once(record, fn, this, args);
		if (first !== null) throw first.error;
		const again = async (trial) => {
			await runHooks(this, scopes, "after");
			await runHooks(this, scopes, "before");
			const run = runOf(place, trial, record.made);
			return { run, thrown: await once(run, fn, this, args) };
		};
		const end = nowMs() + 1500;
		try {
			const control = await again(null);
			const keys = [...record.calls.keys()];
			if (control.thrown !== null || keys.join("\n") !== [...control.run.calls.keys()].join("\n")) return skip(place, "it cannot be repeated");
			let count = 0;
			for (const [key, { call, changes }] of record.calls) {
				for (const [nth, words] of changes.entries()) {
					if (count >= 60 || left <= 0 || nowMs() > end) return skip(place, "it was not measured to its end");
					count += 1;
					left -= 1;
					const { run, thrown } = await again({ key, nth });
					const what = call + " " + words;
					if (thrown?.error === ENDED) continue;
					emit(thrown === null ? "ok - " + place.replace(/:\d+$/, "") + " > " + what : "not ok - " + run.place + " > " + what);
				}
			}
			emit("ok - " + place + " > measured");
		} catch {
			skip(place, "it cannot be repeated");
		}
	}
	const at = (place) => {
		const run = runs.getStore();
		if (run !== undefined && !run.isOver) run.place = place;
	};
	return { product, test, hook, at };
})();
`;

/** Name of the object in the tests' files; such a name may stand in the factories of jest's mocks. */
export const probeName = (token: string): string => `mock_${token}`;

/** Lines in front of a measured file. */
export function nodeProbe(token: string): string {
	const code = NODE.replaceAll("NAME", JSON.stringify(probeName(token))).replaceAll(
		"TOKEN",
		JSON.stringify(token),
	);
	return `// @ts-nocheck\n/* eslint-disable */${code}`;
}
