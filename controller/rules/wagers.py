"""Settlement: what each wager wins, loses or is charged on a result, exactly."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from controller.facts import WagerSettled
from controller.rules.kinds import KINDS, WagerName, is_wager
from controller.rules.outcome import Result
from controller.rules.ruleset import Ruleset
from controller.rules.terms import PayTable, StakeOutcome, Vigorish, money, outcome_of, percent, ratio

#: By `Vigorish.rounding`: a charge in chips to whole chips.
_WHOLE: dict[str, Callable[[Fraction], Fraction]] = {
    "exact": lambda chips: chips,
    "up": lambda chips: Fraction(ceil(chips)),
    "down": lambda chips: Fraction(floor(chips)),
    "nearest": lambda chips: Fraction(floor(chips + Fraction(1, 2))),
}


class Payoff(NamedTuple):
    """`pays`: on top of the returned stake, before `charge`."""

    outcome: StakeOutcome
    pays: Fraction
    charge: Fraction

    def net(self, stake: Fraction) -> Fraction:
        """What the bettor gains."""
        return (-stake if self.outcome == "lose" else self.pays) - self.charge


def payoff(wager: WagerName, table: PayTable, vigorish: Vigorish, kind: str, stake: Fraction) -> Payoff:
    """The payoff of a class of results, the charge not rounded."""
    price = table.price(kind)
    outcome = outcome_of(price)
    pays = ratio(price) * stake if outcome == "win" else Fraction(0)
    return Payoff(outcome, pays, _charge(wager, vigorish, outcome, kind, stake, pays))


def _charge(
    wager: WagerName, vigorish: Vigorish, outcome: str, kind: str, stake: Fraction, pays: Fraction
) -> Fraction:
    if outcome == "win" and (vigorish.on == "every-win" or (vigorish.on, wager) == ("banker-wins", "banker")):
        return percent(vigorish.rate) * pays
    if (wager, kind) == ("banker", "tie"):
        if vigorish.on == "banker-ties":
            return percent(vigorish.rate) * stake
        if vigorish.also_on_ties:
            return percent(vigorish.also_on_ties.rate) * stake
    return Fraction(0)


def _rounded(charge: Fraction, vigorish: Vigorish) -> Fraction:
    chip = money(vigorish.chip or "1")
    return _WHOLE[vigorish.rounding](charge / chip) * chip


def settle(
    ruleset: Ruleset, result: Result, wager: str, amount: str, seat: int | None = None
) -> WagerSettled:
    """One wager on one result. `amount`: a decimal string. Raises ValueError where `refusal` has a reason."""
    reason = refusal(ruleset, wager, amount)
    if reason or not is_wager(wager):
        raise ValueError(reason)
    terms, kind, stake = ruleset.wagers[wager], KINDS[wager].classify(result), money(amount)
    paid = payoff(wager, terms, ruleset.vigorish, kind, stake)
    return WagerSettled(
        seat=seat,
        wager=wager,
        amount=amount_text(stake),
        outcome=paid.outcome,
        pays=amount_text(paid.pays),
        vigorish=amount_text(_rounded(paid.charge, ruleset.vigorish)),
        citation=terms.cite(kind).citation,
    )


def refusal(ruleset: Ruleset, wager: str, amount: str, beside: Collection[str] | None = None) -> str | None:
    """Why a wager may not be placed, or None. `beside`: the seat's other wagers, where they are known."""
    if not is_wager(wager) or wager not in ruleset.wagers:
        return f"{ruleset.name} offers no wager {wager!r}; it offers {', '.join(ruleset.wagers)}"
    try:
        money(amount)
    except ValueError as error:
        return str(error)
    terms = ruleset.wagers[wager]
    if terms.needs_main_wager and beside is not None and not {"banker", "player"} & set(beside):
        return f"{wager} needs a Banker or Player wager beside it ({ruleset.permitted.citation})"
    return None


def house_edge(wager: WagerName, table: PayTable, vigorish: Vigorish, classes: Mapping[str, int]) -> Fraction:
    """What the house gains on average for each unit staked; `classes`: how often each class comes."""
    stake = Fraction(1)
    gain = sum(n * payoff(wager, table, vigorish, kind, stake).net(stake) for kind, n in classes.items())
    return -Fraction(gain) / sum(classes.values())


def house_gain(settled: Iterable[WagerSettled]) -> Fraction:
    """What the house takes from a round: stakes lost and vigorish, less what it pays."""
    return sum(
        (
            (Fraction(one.amount) if one.outcome == "lose" else -Fraction(one.pays)) + Fraction(one.vigorish)
            for one in settled
        ),
        Fraction(0),
    )


def amount_text(amount: Fraction) -> str:
    """Exact decimal text of at least two places. The amount must have one."""
    places = 2
    while (amount * 10**places).denominator != 1:
        places += 1
    whole = f"{int(amount * 10**places):0{places + 1}d}"
    return f"{whole[:-places]}.{whole[-places:]}"


def paytable_text(wager: WagerName, table: PayTable, vigorish: Vigorish) -> str:
    """A pay table as a person writes it: `1:1 less 5%`, `two cards 12:1, three cards 20:1`."""
    text = table.pays.get("win") or ", ".join(_priced(table, name) for name in table.pays)
    if vigorish.on == "every-win" or (vigorish.on, wager) == ("banker-wins", "banker"):
        text += f" less {vigorish.rate}"
    if "win" in table.pays:
        rest = [item for item in table.pays.items() if item[0] != "win" and item != ("tie", "void")]
        text += "".join(f", {_priced(table, name)}" for name, _ in rest)
    if wager == "banker" and (vigorish.on == "banker-ties" or vigorish.also_on_ties):
        text += f", {(vigorish.also_on_ties or vigorish).rate} of the stake on ties"
    return text


def _priced(table: PayTable, name: str) -> str:
    return f"{name.replace('_', ' ')} {table.pays[name]}"
