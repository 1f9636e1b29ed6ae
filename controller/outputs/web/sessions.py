"""Who is logged in: sessions that expire. Times are real seconds."""

import secrets
from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from controller.people import Person, Role
from controller.views.disclosure import Audience

#: Seconds without a request, and seconds in all, after which a session is over.
IDLE = 15 * 60.0
LIFE = 10 * 3600.0
#: Sessions remembered; the oldest are forgotten.
MOST = 1000

#: What each role may look at.
VIEWS: Mapping[Role, tuple[Audience, ...]] = {
    "dealer": ("board", "dealer"),
    "supervisor": ("board", "dealer", "pit"),
    "engineer": ("board", "dealer", "pit"),
}


class Session(Struct):
    """`token` is the cookie's value and nobody's name."""

    person: Person
    token: str
    began: float
    seen: float

    @property
    def name(self) -> str:
        return self.person.name

    @property
    def role(self) -> Role:
        return self.person.role


class Sessions:
    """The sessions of one server; they end with it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._sessions: dict[str, Session] = {}

    def begin(self, person: Person) -> Session:
        """A session under a token that nobody had before."""
        now = self._now()
        session = Session(person, secrets.token_urlsafe(32), now, now)
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

    def keep(self, people: Collection[Person]) -> None:
        """Log out whoever is not there any more as they were: removed, or with another PIN or role."""
        for session in [s for s in self._sessions.values() if s.person not in people]:
            self.end(session.token)
