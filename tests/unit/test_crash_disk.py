"""What the model of a disk lets a power cut leave, and what damage to a log is."""

import struct
from random import Random

import pytest

from drivers.testing.crashes.disk import PAGE, SECTOR, Disk, Op, operations
from drivers.testing.crashes.torn import sound, tear

MANY = 400


class Log:
    """Operations as the shim notes them, each a byte further in the log."""

    def __init__(self) -> None:
        self.disk = Disk()
        self.place = 0

    def do(self, what, data=b"", inode=1, at=0):
        self.place += 1
        self.disk.do([Op(self.place, what, inode, at, data)])
        return self

    def sync(self, inode=1):
        return self.do("sync", inode=inode, at=self.place + 1)

    def sync_folder(self, name=b""):
        return self.do("sync-folder", name, inode=99, at=self.place + 1)

    def left(self, name="a"):
        """Everything that a cut may make of the file."""
        draw = Random(0)
        return {self.disk.left(draw).get(name) for _ in range(MANY)}


@pytest.fixture
def log():
    return Log().do("create", b"a").sync_folder()


def test_what_was_synced_is_there(log):
    log.do("write", b"one").sync()
    assert log.left() == {b"one"}


def test_what_was_not_may_be_lost_or_kept(log):
    log.do("write", b"one").sync().do("write", b"two", at=3)
    assert log.left() == {b"one", b"onetwo"}


def test_writes_reach_the_disk_in_any_order(log):
    log.do("write", b"one").do("write", b"two", at=3)
    assert log.left() == {b"", b"one", b"\0\0\0two", b"onetwo"}


def test_a_write_that_came_while_the_sync_ran_is_not_covered_by_it(log):
    began = log.place + 2
    log.do("write", b"one").do("write", b"two", at=3).do("sync", at=began)
    assert log.left() == {b"one", b"onetwo"}


def test_a_write_is_torn_between_sectors(log):
    log.do("write", b"x" * 2 * SECTOR)
    assert log.left() == {b"", b"x" * SECTOR, b"\0" * SECTOR + b"x" * SECTOR, b"x" * 2 * SECTOR}


def test_a_new_size_may_be_lost(log):
    log.do("write", b"one").sync().do("truncate", at=1)
    assert log.left() == {b"one", b"o"}


def test_a_failed_sync_is_not_made_good_by_a_later_one_that_works(log):
    log.do("write", b"one").do("sync-failed", at=log.place + 1).do("write", b"two", at=PAGE).sync()
    lost, kept = bytes(PAGE) + b"two", b"one" + bytes(PAGE - 3) + b"two"
    assert log.left() == {lost, kept}


def test_it_is_made_good_by_writing_the_page_again(log):
    log.do("write", b"one").do("sync-failed", at=log.place + 1).do("write", b"two", at=3).sync()
    assert log.left() == {b"onetwo"}


def test_a_name_is_certain_when_its_folder_was_synced():
    log = Log().do("create", b"a").do("write", b"one").sync()
    assert log.left() == {None, b"one"}
    log.sync_folder()
    assert log.left() == {b"one"}


def test_a_renamed_file_has_the_one_name_or_the_other(log):
    log.do("write", b"one").sync().do("rename", b"a\0b")
    draw = Random(0)
    names = {tuple(log.disk.left(draw)) for _ in range(MANY)}
    assert names == {("a",), ("b",)}


def test_a_removed_file_may_come_back(log):
    log.do("write", b"one").sync().do("unlink", b"a")
    assert log.left() == {None, b"one"}
    log.sync_folder()
    assert log.left() == {None}


def test_another_folder_is_synced_for_itself():
    log = Log().do("folder", b"f").sync_folder().do("create", b"f/a").do("write", b"one").sync().sync_folder()
    assert log.left("f/a") == {None, b"one"}
    log.sync_folder(b"f")
    assert log.left("f/a") == {b"one"}


def test_a_killed_process_leaves_everything(log):
    log.do("write", b"one").do("create", b"b", inode=2).do("write", b"two", inode=2)
    assert log.disk.left(Random(0), 1) == {"a": b"one", "b": b"two"}


def test_a_line_that_a_kill_tore_is_no_operation():
    line = struct.pack("<IIQQ", 2, 3, 7, 11) + b"abc"
    assert list(operations(line + line[:-1])) == [Op(0, "write", 7, 11, b"abc")]


# -- logs ----------------------------------------------------------------------------------------------

SALT = b"saltsalt"


def write_ahead_log(frames, stale):
    header = struct.pack(">8sI4s8s8s", b"", 4096, b"", SALT, b"")
    frame = [struct.pack(">8s8s8s", b"", salt, b"") + b"p" * 4096 for salt in (SALT, b"other...")]
    return header + frame[0] * frames + frame[1] * stale


def test_frames_of_an_earlier_turn_do_not_count():
    assert sound(write_ahead_log(3, 2)) == [32, 32 + 4120, 32 + 2 * 4120]
    assert sound(b"") == sound(write_ahead_log(0, 2)) == []


def test_every_tear_is_in_the_frames_that_count():
    log = write_ahead_log(3, 2)
    torn = {tear(log, Random(seed)) for seed in range(200)}
    assert len(torn) > 100
    for one in torn:
        assert len(one) <= len(log)
        assert one[: 32 + 3 * 4120] != log[: 32 + 3 * 4120] or one == log


def test_no_log_is_not_torn():
    assert tear(b"", Random(0)) == b""
