import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";

const runs = (steps: string): string => `(lambda book: [${steps}])(Ledger({"a": 100, "b": 20}))`;

/** Python with pytest: a conftest.py, data, a configuration. */
export const ledger: Project = {
	name: "ledger",
	runner: "pytest",
	needs: ["python3", "pytest"],
	files: {
		".gitignore": "__pycache__/\n.pytest_cache/\nout/\n",
		"pyproject.toml": `[project]
name = "ledger"
version = "1.0.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["."]
`,
		"ledger/__init__.py": `from ledger.book import Ledger, Overdraft
from ledger.money import parse_cents, show_cents

__all__ = ["Ledger", "Overdraft", "parse_cents", "show_cents"]
`,
		"ledger/money.py": `import re


def parse_cents(text):
    """Cents of an amount such as "12.34"."""
    found = re.fullmatch(r"(\\d+)(?:\\.(\\d{1,2}))?", text.strip())
    if found is None:
        raise ValueError("not an amount: " + text)
    whole, part = found.groups()
    return int(whole) * 100 + int((part or "0").ljust(2, "0"))


def show_cents(cents):
    """12.34 of 1234."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"
`,
		"ledger/book.py": `class Overdraft(Exception):
    pass


class Ledger:
    """Balances in cents by account."""

    def __init__(self, balances=None):
        self.balances = dict(balances or {})

    def deposit(self, account, cents):
        if cents <= 0:
            raise ValueError("not positive")
        self.balances[account] = self.balances.get(account, 0) + cents
        return self.balances[account]

    def withdraw(self, account, cents):
        if cents <= 0:
            raise ValueError("not positive")
        if self.balances.get(account, 0) < cents:
            raise Overdraft(account)
        self.balances[account] -= cents
        return self.balances[account]
`,
		"tests/conftest.py": `import json
from pathlib import Path

import pytest

from ledger import Ledger


@pytest.fixture
def book():
    return Ledger({"alice": 500, "bob": 50})


@pytest.fixture
def amounts():
    return json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())
`,
		"tests/data/amounts.json": '[["12.34", 1234], ["5", 500], ["0.5", 50], ["0.05", 5]]\n',
		"tests/test_money.py": `import pytest

from ledger import parse_cents, show_cents


def test_amounts_are_parsed(amounts):
    for text, cents in amounts:
        assert parse_cents(text) == cents


@pytest.mark.parametrize("text", ["", "x", "1.234", "-1"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError):
        parse_cents(text)


def test_cents_are_shown():
    assert show_cents(1205) == "12.05"
    assert show_cents(-50) == "-0.50"
`,
		"tests/test_book.py": `import pytest

from ledger import Overdraft


def test_a_deposit_adds(book):
    assert book.deposit("alice", 25) == 525
    assert book.deposit("carol", 10) == 10


def test_a_withdrawal_takes(book):
    assert book.withdraw("alice", 500) == 0


def test_nobody_overdraws(book):
    with pytest.raises(Overdraft):
        book.withdraw("bob", 51)
    assert book.balances["bob"] == 50
`,
	},
	check: {
		run: "python3 -m pytest -q -p no:cacheprovider --junitxml=out/junit.xml",
		report: { format: "junit", path: "out/junit.xml" },
	},
	probe: { by: "python", module: "ledger" },
	keeps: {
		'parse_cents("0.5")': 50,
		'parse_cents("1.234")': "throws not an amount: 1.234",
		"show_cents(-1)": "-0.01",
		[runs('book.withdraw("a", 100), book.deposit("b", 5)')]: [0, 25],
		[runs('book.withdraw("b", 21)')]: "throws b",
		[runs('book.deposit("b", 0)')]: "throws not positive",
	},
	task: {
		description:
			"Ledger.transfer(source, target, cents) moves money between two accounts; a transfer that overdraws changes nothing and raises Overdraft.",
		adds: {
			[runs('book.transfer("a", "b", 30), book.balances["a"], book.balances["b"]')]: [null, 70, 50],
			[runs('book.transfer("b", "c", 21)')]: "throws b",
			[runs('book.transfer("a", "c", 1), book.balances["c"]')]: [null, 1],
		},
	},
	done: [
		append(
			"ledger/book.py",
			`
    def transfer(self, source, target, cents):
        self.withdraw(source, cents)
        self.deposit(target, cents)
`,
		),
		append(
			"tests/test_book.py",
			`

def test_a_transfer_moves_money(book):
    book.transfer("alice", "bob", 100)
    assert (book.balances["alice"], book.balances["bob"]) == (400, 150)


def test_a_transfer_does_not_overdraw(book):
    with pytest.raises(Overdraft):
        book.transfer("bob", "alice", 51)
    assert book.balances["alice"] == 500
`,
		),
	],
	broken: [
		append(
			"ledger/book.py",
			`
    def transfer(self, source, target, cents):
        if self.balances.get(source, 0) < cents:
            raise Overdraft(source)
        self.withdraw(source, cents)
        self.deposit(target, cents)
`,
		),
		replace(
			"ledger/book.py",
			`        if self.balances.get(account, 0) < cents:
            raise Overdraft(account)
        self.balances[account] -= cents
`,
			`        self.balances[account] = self.balances.get(account, 0) - cents
`,
		),
	],
	mutants: [
		["< cents:", "<= cents:"],
		['.ljust(2, "0")', ""],
		['sign = "-" if', 'sign = "" if'],
		["get(account, 0) + cents", "get(account, 0) - cents"],
	],
};
