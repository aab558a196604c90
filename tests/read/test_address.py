"""An address names a file and columns in it, in one grammar for all commands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clustcmp.errors import InputError
from clustcmp.read import Address
from tests.files import write

CLUSTERINGS = {
    "a.csv": Address("a.csv", "a.csv"),
    "a.csv::x": Address("a.csv::x", "a.csv", "x"),
    "a.csv::x,y": Address("a.csv::x,y", "a.csv", "x,y"),
    "a.csv::id=x": Address("a.csv::id=x", "a.csv", id="x"),
    "a.csv::label=x,id=y": Address("a.csv::label=x,id=y", "a.csv", "x", "y"),
    "a.csv::x::y": Address("a.csv::x::y", "a.csv", "x::y"),
    "a.csv::*": Address("a.csv::*", "a.csv", "*"),
    "-": Address("-", "-"),
    "-::x": Address("-::x", "-", "x"),
}

COORDINATES = {
    "a.csv": Address("a.csv", "a.csv"),
    "a.csv::x": Address("a.csv::x", "a.csv", columns=("x",)),
    "a.csv::x,y": Address("a.csv::x,y", "a.csv", columns=("x", "y")),
    "a.csv::id=p,x,y": Address("a.csv::id=p,x,y", "a.csv", id="p", columns=("x", "y")),
    "a.csv::id=p": Address("a.csv::id=p", "a.csv", id="p"),
    "-::x,y": Address("-::x,y", "-", columns=("x", "y")),
}


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("text", "address"), CLUSTERINGS.items(), ids=CLUSTERINGS)
def test_an_address_of_a_clustering_names_a_label_and_an_id(text: str, address: Address) -> None:
    assert Address.of_clustering(text) == address


@pytest.mark.parametrize(("text", "address"), COORDINATES.items(), ids=COORDINATES)
def test_an_address_of_coordinates_names_columns_and_an_id(text: str, address: Address) -> None:
    assert Address.of_coordinates(text) == address


@pytest.mark.parametrize("text", ["a::", "a::label=", "a::id=,label=x", "a::id=x,id=y"])
def test_an_address_of_a_clustering_without_a_column_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"does not name a column|names the same column twice"):
        Address.of_clustering(text)


@pytest.mark.parametrize("text", ["a::", "a::x,", "a::id=,x", "a::x,x", "a::id=x,id=y"])
def test_an_address_of_coordinates_without_a_column_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"does not name a column|names the same column twice"):
        Address.of_coordinates(text)


def test_a_file_whose_name_is_the_whole_text_wins() -> None:
    write("a::x", "")
    for parse in (Address.of_file, Address.of_clustering, Address.of_coordinates):
        assert parse("a::x") == Address("a::x", "a::x")


@pytest.mark.parametrize(("text", "name"), [("-", "stdin"), ("-::x", "stdin"), ("a::x", "a")])
def test_messages_name_the_file_without_its_columns(text: str, name: str) -> None:
    assert Address.of_clustering(text).name == name


@pytest.mark.parametrize("column", ["x", "x,y", "label=x", "id=x", "x::y"])
@pytest.mark.parametrize("text", ["a.csv::*", "a.csv::label=*,id=p", "-::*"])
def test_the_address_of_a_column_names_this_column_again(text: str, column: str) -> None:
    address = Address.of_clustering(text).of_column(column)
    assert (address.label, address.id) == (column, Address.of_clustering(text).id)
    assert Address.of_clustering(address.text) == address


def test_two_ways_to_write_a_path_are_one_file() -> None:
    write("a.csv", "")
    os.symlink("a.csv", "link.csv")
    os.symlink("a.csv", "link.tsv")
    first, link, table = map(Address.of_file, ("a.csv::x", "./link.csv", "link.tsv"))
    assert first.is_same_file(link)
    assert first.file_key == link.file_key
    # The ending decides how to read, so that the second link has to be read by itself.
    assert first.is_same_file(table)
    assert first.file_key != table.file_key


def test_files_that_are_not_there_are_one_file_only_if_their_paths_are_equal() -> None:
    one, same, other = map(Address.of_file, ("a.csv::x", "a.csv", "b.csv"))
    assert one.file_key == same.file_key
    assert one.file_key != other.file_key


def test_an_address_relative_to_a_folder_keeps_its_columns() -> None:
    assert Address.of_file("data/a.csv::x,y").relative_to("data") == "a.csv::x,y"
    assert Address.of_file("a.csv::x").relative_to("data") == os.path.join("..", "a.csv::x")
    assert Address.of_file("-::x").relative_to("data") is None
