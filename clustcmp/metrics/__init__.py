"""The registry of all metrics: one module for each family."""

from clustcmp.metrics.density import density_family
from clustcmp.metrics.element import element
from clustcmp.metrics.information import information
from clustcmp.metrics.internal import internal_family
from clustcmp.metrics.known_words import KNOWN_WORDS
from clustcmp.metrics.pair_counting import pair_counting
from clustcmp.metrics.set_matching import set_matching
from clustcmp.metrics.spatial import spatial
from clustcmp.metrics.transport import transport_family
from clustcmp.registry import Registry

METRICS = Registry(
    [
        pair_counting,
        set_matching,
        information,
        element,
        transport_family,
        density_family,
        internal_family,
        spatial,
    ],
    KNOWN_WORDS,
)
