"""The board in every language and theme: the words change, nothing else does, and all of it fits."""

import pytest
from board import MakeBoard
from pictures import SIZES, keep
from playing import Play
from test_board_pictures import faults

from controller.observations import CutCardDrawn, ResultConfirmed
from controller.outputs.web.assets import languages, theme

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: language -> what a draw by Banker, Banker's win and the bead of it are called there
BANKER = {
    "en": ("Banker draws", "Banker wins", "B"),
    "es": ("La Banca pide carta", "Gana la Banca", "B"),
    "fr": ("Banque tire", "Banque gagne", "B"),
    "zh-Hans": ("庄家补牌", "庄赢", "庄"),
    "zh-Hant": ("莊家補牌", "莊贏", "莊"),
}


@pytest.mark.parametrize("language", languages())
async def test_the_board_speaks_the_tables_language(make_board: MakeBoard, language: str) -> None:
    draws, wins, letter = BANKER[language]
    board = await make_board(language=language)
    board.open()
    board.cards("KS 2D 2H 2C 4D")
    await board.says(draws)
    board.cards("3H")
    board.do(ResultConfirmed())
    await board.says(wins)
    await board.page.wait_for_selector("#bead_plate text.bead")
    assert await board.road("bead_plate") == letter
    assert await board.page.locator("html").get_attribute("lang") == language


@pytest.mark.parametrize("language", languages())
async def test_every_language_fits_on_every_screen(make_board: MakeBoard, language: str) -> None:
    play = Play()
    play.shoe(30)
    play.open()
    play.cards("KS 2D 2H 2C 4D")
    board = await make_board(play, language=language)
    for happen in (lambda: None, lambda: board.do(CutCardDrawn()), lambda: board.cards("3H")):
        happen()
        for width, height in SIZES.values():
            await board.page.set_viewport_size({"width": width, "height": height})
            await board.page.wait_for_selector("#call strong")
            assert await faults(board) == []
    await board.page.set_viewport_size({"width": 1280, "height": 720})
    await keep(board.page, f"board-in-{language}")


#: language -> which of the words that may stand between the hands are too wide for their place.
TOO_WIDE = """async (language) => {
  const words = await (await fetch(`/text/${language}.json`)).json();
  const kinds = { "wins.player": "result", "wins.banker": "result", "wins.tie": "result" };
  const keys = [
    "idle", "burning", "betting", "dealing", "void", "ended", "wait", "draws.player", "draws.banker",
  ];
  const [call, said] = [document.getElementById("call"), document.querySelector("#call strong")];
  return [...keys, ...Object.keys(kinds)].filter((key) => {
    call.className = kinds[key] ?? key;
    said.textContent = words[key];
    return said.scrollWidth > said.clientWidth;
  });
}"""


@pytest.mark.parametrize("language", languages())
async def test_no_words_between_the_hands_are_too_wide(make_board: MakeBoard, language: str) -> None:
    board = await make_board(language=language)
    for width, height in SIZES.values():
        await board.page.set_viewport_size({"width": width, "height": height})
        assert await board.page.evaluate(TOO_WIDE, language) == []


async def test_an_address_may_ask_for_another_language(make_board: MakeBoard) -> None:
    board = await make_board()
    await board.says("Welcome")
    await board.show("?lang=fr")
    await board.says("Bienvenue")
    await board.show("?lang=tlh")
    await board.says("Welcome")
    await board.show("?lang=../people")
    await board.says("Welcome")


async def test_chinese_is_drawn_with_real_glyphs(make_board: MakeBoard) -> None:
    """Two characters that a font without them would draw as the same box."""
    board = await make_board(language="zh-Hans")
    drawn = await board.page.evaluate(
        """(words) => {
          const paint = (text) => {
            const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
            const context = canvas.getContext("2d");
            context.font = "48px " + getComputedStyle(document.querySelector("#player h2")).fontFamily;
            context.fillText(text, 4, 52);
            return canvas.toDataURL();
          };
          return words.map(paint);
        }""",
        ["庄", "闲", "和", "莊", "閒"],
    )
    assert len(set(drawn)) == 5


async def test_limits_are_written_as_the_language_writes_numbers(make_board: MakeBoard) -> None:
    board = await make_board(language="fr")
    limits = await board.page.locator("#limits > div").all_inner_texts()
    assert [" ".join(limit.split()) for limit in limits] == [
        "Joueur · Banque 25–5 000",
        "Égalité 5–500",
        "Dragon 7 · Panda 8 5–250",
    ]


@pytest.mark.parametrize(("footer", "shown"), [(None, "For reference only"), ("Play fair", "Play fair")])
async def test_the_last_line_is_a_setting(make_board: MakeBoard, footer: str | None, shown: str) -> None:
    board = await make_board(footer=footer)
    assert await board.page.locator("#reference").inner_text() == shown


async def test_the_last_line_may_be_left_out(make_board: MakeBoard) -> None:
    board = await make_board(footer="")
    assert not await board.page.locator("#reference").is_visible()


async def test_a_theme_changes_the_colours(make_board: MakeBoard) -> None:
    seen = set()
    for name in ("felt", "pearl"):
        play = Play()
        play.shoe(30)
        play.open()
        play.cards("KS 2D 2H 2C 4D")
        board = await make_board(play, style=theme(name))
        seen.add(await board.page.evaluate("getComputedStyle(document.body).color"))
        assert await faults(board) == []
        await keep(board.page, f"board-theme-{name}")
    assert seen == {"rgb(247, 243, 230)", "rgb(37, 33, 26)"}
