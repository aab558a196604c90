"""The registry of all metrics: one module for each family."""

from clustcmp.metrics.element import element
from clustcmp.metrics.information import information
from clustcmp.metrics.pair_counting import pair_counting
from clustcmp.metrics.set_matching import set_matching
from clustcmp.registry import Registry

METRICS = Registry([pair_counting, set_matching, information, element])
