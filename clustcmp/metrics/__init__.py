"""The registry of all metrics: one module for each family."""

from clustcmp.metrics.adjusted_pairs import pair_counting
from clustcmp.metrics.coreference import coreference
from clustcmp.metrics.density import density_family
from clustcmp.metrics.element import element
from clustcmp.metrics.internal import internal_family
from clustcmp.metrics.known_words import KNOWN_WORDS
from clustcmp.metrics.matched_clusters import set_matching
from clustcmp.metrics.reduced_information import information
from clustcmp.metrics.spatial import spatial
from clustcmp.metrics.transport import transport_family
from clustcmp.registry import Registry

METRICS = Registry(
    [
        pair_counting,
        set_matching,
        coreference,
        information,
        element,
        transport_family,
        density_family,
        internal_family,
        spatial,
    ],
    KNOWN_WORDS,
)
