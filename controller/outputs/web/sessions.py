"""Who is logged in: sessions that expire, and attempts that are slowed down. Times are real seconds."""

import secrets
from collections.abc import Callable, Mapping

from msgspec import Struct

from controller.disclosure import Audience
from controller.people import Role

#: Seconds without a request, and seconds in all, after which a session is over.
IDLE = 15 * 60.0
LIFE = 10 * 3600.0
#: Wrong PINs for one name or from one address before it must wait, and for how long; then twice as long.
FREE_TRIES = 5
PAUSE = 30.0
LONGEST_PAUSE = 3600.0
#: Sessions and names remembered; the oldest are forgotten.
MOST = 1000

#: What each role may look at.
VIEWS: Mapping[Role, tuple[Audience, ...]] = {
    "dealer": ("board", "dealer"),
    "supervisor": ("board", "dealer", "pit"),
    "engineer": ("board", "dealer", "pit"),
}


class Session(Struct):
    """`token` is the cookie's value and nobody's name."""

    name: str
    role: Role
    token: str
    began: float
    seen: float


class Sessions:
    """The sessions of one server; they end with it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._sessions: dict[str, Session] = {}

    def begin(self, name: str, role: Role) -> Session:
        """A session under a token that nobody had before."""
        now = self._now()
        session = Session(name, role, secrets.token_urlsafe(32), now, now)
        self._sessions[session.token] = session
        while len(self._sessions) > MOST:
            del self._sessions[next(iter(self._sessions))]
        return session

    def find(self, token: str | None) -> Session | None:
        """The live session of a cookie; asking keeps it alive."""
        if token is None or not self.is_live(token):
            return None
        session = self._sessions[token]
        session.seen = self._now()
        return session

    def is_live(self, token: str) -> bool:
        """Whether the session goes on; one that is over is forgotten."""
        session = self._sessions.get(token)
        if session is None:
            return False
        now = self._now()
        if now - session.seen > IDLE or now - session.began > LIFE:
            self.end(token)
            return False
        return True

    def end(self, token: str) -> None:
        """Log out."""
        self._sessions.pop(token, None)

    def end_of(self, name: str) -> None:
        """Log a person out everywhere."""
        for session in [s for s in self._sessions.values() if s.name == name]:
            self.end(session.token)


class _Tries(Struct):
    wrong: int = 0
    until: float = 0.0


class Throttle:
    """Slows guessing down, by name and by address alike."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._tries: dict[str, _Tries] = {}

    def wait(self, *keys: str) -> float:
        """Seconds to wait before any of the keys may try again; 0: now."""
        now = self._now()
        return max(0.0, *(self._tries[key].until - now for key in keys if key in self._tries), 0.0)

    def failed(self, *keys: str) -> None:
        """A wrong PIN."""
        for key in keys:
            tries = self._tries.pop(key, None) or _Tries()
            tries.wrong += 1
            over = tries.wrong - FREE_TRIES
            if over >= 0:
                tries.until = self._now() + min(PAUSE * 2**over, LONGEST_PAUSE)
            self._tries[key] = tries
        while len(self._tries) > MOST:
            del self._tries[next(iter(self._tries))]

    def passed(self, name: str) -> None:
        """The right PIN: the name's failures are forgotten, not the address's."""
        self._tries.pop(name, None)
