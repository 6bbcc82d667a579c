"""Files of positions, line by line."""

from __future__ import annotations

import io

from durak_solver.study.position_files import FileLine, read_lines


def lines(content: bytes, *, comments: bool = False) -> list[tuple[int, str, int]]:
    return [(line.number, str(line.text), line.end) for line in read_lines(io.BytesIO(content), comments=comments)]


def test_blank_lines_and_comments_are_skipped() -> None:
    content = b"\xef\xbb\xbf# one\r\n\n  # two\n6s/7s h a -\r\n \nlast"
    assert lines(content) == [(4, "6s/7s h a -", 32), (6, "last", 38)]
    assert [text for _, text, _ in lines(content, comments=True)] == [
        "# one",
        "",
        "  # two",
        "6s/7s h a -",
        " ",
        "last",
    ]


def test_a_bad_line_does_not_keep_the_others_back() -> None:
    content = b"\xff\n" + b"x" * 20_000 + b"\n6s/7s h a -\n"
    assert lines(content) == [
        (1, "the line is not UTF-8 text: byte 1 does not fit", 2),
        (2, "the line is longer than 10,000 bytes", 20_003),
        (3, "6s/7s h a -", 20_015),
    ]


def test_a_file_is_read_no_further_than_asked() -> None:
    file = io.BytesIO(b"6s/7s h a -\n" * 3)
    found = read_lines(file)
    assert next(found) == FileLine(1, "6s/7s h a -", 12)
    assert file.tell() == 12
    assert len([*found]) == 2
    assert file.closed
