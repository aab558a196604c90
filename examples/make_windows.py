"""Make the windows of this folder; needs scikit-learn and writes the same bytes every time.

Run it as `python -m examples.make_windows`.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans

from examples.papers.bae import replace
from examples.papers.iris import read_iris
from examples.papers.points import Codes

FOLDER = Path(__file__).parent / "windows"

# One of those whose four values of adco are in the order of the paper; README.md says how many are.
SEED = 7
NAMES = "ABC"


def main() -> None:
    """Write a file for each sample."""
    FOLDER.mkdir(exist_ok=True)
    for number, flowers in enumerate(draw_windows(SEED), 1):
        write(FOLDER / f"sample{number}.csv", flowers, cluster(flowers))


def draw_windows(seed: int) -> list[Codes]:
    """Five samples of 30 flowers, ten of each species, in the layout of Bae's figure 6.

    1 and 2 share half and the rest is alike; 2 and 3 share half and the rest is unlike; 3 and 4
    share nothing and are alike; 4 and 5 share nothing and are unlike.
    """
    generator = np.random.default_rng(seed)
    samples: list[list[Codes]] = []
    for species in range(3):
        first = 50 * species + generator.choice(50, size=10, replace=False)
        second = np.concatenate([first[:5], replace(first[5:], first, species, alike=True)])
        third = np.concatenate([second[5:], replace(second[:5], second, species, alike=False)])
        fourth = replace(third, third, species, alike=True)
        fifth = replace(fourth, fourth, species, alike=False)
        samples.append([first, second, third, fourth, fifth])
    return [np.sort(np.concatenate(parts)) for parts in zip(*samples, strict=True)]


def cluster(flowers: Codes) -> Codes:
    """k-means with k = 3 on the four attributes; the largest cluster comes first."""
    attributes, _ = read_iris()
    found = KMeans(3, n_init=10, random_state=0).fit_predict(attributes[flowers])
    ranks = np.argsort(np.argsort(-np.bincount(found), kind="stable"), kind="stable")
    codes: Codes = ranks[found]
    return codes


def write(path: Path, flowers: Codes, codes: Codes) -> None:
    """Write the clustering of a sample."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "label"])
        writer.writerows(
            [f"iris-{flower + 1:03d}", NAMES[code]]
            for flower, code in zip(flowers.tolist(), codes.tolist(), strict=True)
        )


if __name__ == "__main__":
    main()
