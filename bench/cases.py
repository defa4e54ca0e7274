"""The benchmark cases of cases.txt, as cases.hpp reads them. Strides, offsets and sizes count elements."""

import math
import pathlib
from dataclasses import dataclass

PATH = pathlib.Path(__file__).with_name("cases.txt")


@dataclass
class Case:
    name: str
    element_bytes: int
    shape: tuple
    src_strides: tuple
    dst_strides: tuple
    src_offset: int
    dst_offset: int
    src_elements: int
    dst_elements: int

    @property
    def payload_bytes(self):
        return math.prod(self.shape) * self.element_bytes

    @property
    def is_memcpy(self):
        """One run on both sides: memcpy itself is a way to do it."""
        return len(self.shape) == 1 and self.src_strides == self.dst_strides == (1,)

    @property
    def is_tiny(self):
        """Too small for a line floor to mean anything."""
        return self.name.startswith("tiny")


def read():
    cases = []
    for line in PATH.read_text().splitlines():
        name, *words = line.split()
        element_bytes, rank, *numbers = map(int, words)
        lists = [tuple(numbers[i * rank:(i + 1) * rank]) for i in range(3)]
        cases.append(Case(name, element_bytes, *lists, *numbers[3 * rank:]))
    return cases
