"""A scenario's acts at a simulated device and its link, in time."""

from collections.abc import Iterable
from itertools import zip_longest
from math import inf

from controller.observations import LinkLost, LinkRestored
from controller.ports import Session, Stage
from controller.scenarios.acts import Act

_LINK = (LinkLost, LinkRestored)


def act_out(acts: Iterable[Act], role: str, device: Stage, session: Session) -> list[Act]:
    """Plans what a device of that role does, and what befalls its link, from now on; gives the acts that it
    cannot do. The acts of others are theirs.
    """
    began = session.now()
    mine = [act for act in acts if act.by == role]
    lost, restored = ([act.event.at or 0.0 for act in mine if isinstance(act.event, kind)] for kind in _LINK)
    for since, until in zip_longest(lost, restored, fillvalue=inf):
        session.unplug(began + since, began + until)
    cannot = device.play([act.event for act in mine if not isinstance(act.event, _LINK)], began)
    session.wake()
    return [act for act in mine if any(act.event is one for one in cannot)]
