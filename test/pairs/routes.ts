import { replace } from "../cheats/tree.ts";
import type { Pair } from "./pair.ts";

const TEST = "test_routes.py";

/** Python with unittest. */
const routes: Pair["project"] = {
	files: {
		".gitignore": "__pycache__/\n",
		"routes.py": `class Route:
    """Places with the kilometres from each to the next."""

    def __init__(self, *legs):
        self.legs = legs

    def length(self):
        return sum(distance for _, distance in self.legs)

    def hours(self, speed):
        return sum(distance for _, distance in self.legs) / speed

    def text(self):
        return ", ".join(f"{name}: {distance} km" for name, distance in self.legs)

    def passes(self, place):
        return any(name == place for name, _ in self.legs)


def by_length(routes):
    """The routes, the shortest first."""
    return sorted(routes, key=lambda route: route.length())


def miles(kilometres):
    return kilometres / 1.609344
`,
		[TEST]: `import unittest

from routes import Route, by_length, miles


class RouteTest(unittest.TestCase):
    def setUp(self):
        self.route = Route(("Ulm", 12), ("Bern", 30))

    def test_length(self):
        self.assertEqual(self.route.length(), 42)

    def test_hours(self):
        self.assertEqual(self.route.hours(84), 0.5)

    def test_text(self):
        self.assertEqual(self.route.text(), "Ulm: 12 km, Bern: 30 km")

    def test_passes(self):
        self.assertTrue(self.route.passes("Bern"))
        self.assertFalse(self.route.passes("Rome"))


class LengthTest(unittest.TestCase):
    def test_by_length(self):
        long, short = Route(("a", 9)), Route(("b", 2))
        self.assertEqual([one.text() for one in by_length([long, short])], ["b: 2 km", "a: 9 km"])

    def test_miles(self):
        self.assertAlmostEqual(miles(10), 6.2137119)
        self.assertAlmostEqual(miles(42.195), 26.2187575)


if __name__ == "__main__":
    unittest.main()
`,
	},
	check: { run: "python3 -m unittest -v" },
	task: { description: "Rewrite the tests of routes." },
};

export const ROUTES: readonly Pair[] = [
	{
		name: "unittest: a table of subtests, with a wide tolerance",
		project: routes,
		fault: replace("routes.py", "/ 1.609344", "/ 1.6"),
		twin: [
			replace(
				TEST,
				`        self.assertAlmostEqual(miles(10), 6.2137119)
        self.assertAlmostEqual(miles(42.195), 26.2187575)
`,
				`        for kilometres, expected in [(10, 6.2137119), (42.195, 26.2187575)]:
            with self.subTest(kilometres=kilometres):
                self.assertAlmostEqual(miles(kilometres), expected, places=7)
`,
			),
		],
		loss: [replace(TEST, "expected, places=7", "expected, delta=5")],
	},
	{
		name: "unittest: messages are added, and a value becomes a truth",
		project: routes,
		fault: replace(
			"routes.py",
			"length(self):\n        return ",
			"length(self):\n        return 1 + ",
		),
		twin: [
			replace(
				TEST,
				"self.assertEqual(self.route.length(), 42)",
				'self.assertEqual(42, self.route.length(), "the length of both legs")',
			),
		],
		loss: [
			replace(
				TEST,
				'self.assertEqual(42, self.route.length(), "the length of both legs")',
				'self.assertTrue(self.route.length(), "the length of both legs")',
			),
		],
	},
	{
		name: "unittest: another order of the cases, without the negated one",
		project: routes,
		fault: replace("routes.py", "place in [name for name, _ in self.legs]", "True"),
		twin: [
			replace(
				TEST,
				`        self.assertTrue(self.route.passes("Bern"))
        self.assertFalse(self.route.passes("Rome"))
`,
				`        self.assertFalse(self.route.passes("Rome"))
        self.assertTrue(self.route.passes("Bern"))
`,
			),
			// A refactoring of the product that keeps what it gives.
			replace(
				"routes.py",
				"any(name == place for name, _ in self.legs)",
				"place in [name for name, _ in self.legs]",
			),
		],
		loss: [replace(TEST, '        self.assertFalse(self.route.passes("Rome"))\n', "")],
	},
	{
		name: "unittest: a helper makes the routes, in an order that asks for nothing",
		project: routes,
		fault: replace("routes.py", "sorted(routes, key=lambda route: route.length())", "list(routes)"),
		twin: [
			replace(
				TEST,
				"\n\nclass RouteTest",
				"\n\ndef route(name, distance):\n    return Route((name, distance))\n\n\nclass RouteTest",
			),
			replace(
				TEST,
				`        long, short = Route(("a", 9)), Route(("b", 2))
        self.assertEqual([one.text() for one in by_length([long, short])], ["b: 2 km", "a: 9 km"])
`,
				`        given = [route("a", 9), route("b", 2)]
        self.assertEqual([one.text() for one in by_length(given)], ["b: 2 km", "a: 9 km"])
`,
			),
		],
		loss: [
			replace(
				TEST,
				'given = [route("a", 9), route("b", 2)]',
				'given = [route("b", 2), route("a", 9)]',
			),
		],
	},
	{
		name: "unittest: a class of its own for the text, of which a part is asked",
		project: routes,
		fault: replace("routes.py", '", ".join', '"; ".join'),
		twin: [
			replace(
				TEST,
				`    def test_text(self):
        self.assertEqual(self.route.text(), "Ulm: 12 km, Bern: 30 km")

`,
				"",
			),
			replace(
				TEST,
				"class LengthTest",
				`class TextTest(unittest.TestCase):
    def test_names_each_place(self):
        text = Route(("Ulm", 12), ("Bern", 30)).text()
        self.assertEqual(text, "Ulm: 12 km, Bern: 30 km")


class LengthTest`,
			),
		],
		loss: [
			replace(TEST, 'assertEqual(text, "Ulm: 12 km, Bern: 30 km")', 'assertIn("Ulm: 12 km", text)'),
		],
	},
];
