"""Make the iris files of this folder; needs scikit-learn and writes the same bytes every time."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics.cluster import contingency_matrix
from sklearn.mixture import GaussianMixture

Matrix = NDArray[np.float64]
Codes = NDArray[np.int64]

FOLDER = Path(__file__).parent
SEED = 17
MAX_STARTS = 10_000
ATTRIBUTES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
CLUSTERS = ["C1", "C2", "C3"]

# Zaki and Meira's contingency tables: rows C1 to C3; columns setosa, versicolor, virginica.
GOOD = [[0, 47, 14], [50, 0, 0], [0, 3, 36]]
BAD = [[30, 0, 0], [20, 4, 0], [0, 46, 50]]


def main() -> None:
    """Write iris.csv, and from it the clusterings."""
    iris = load_iris()
    write("iris.csv", ATTRIBUTES, as_text(uci_copy(iris.data), decimals=1))
    species = iris.target
    write("iris_species.csv", ["label"], [[f"Iris-{iris.target_names[code]}"] for code in species])

    attributes = read_attributes("iris.csv")
    components = PCA(n_components=2).fit_transform(attributes)
    good = find_kmeans(components, species, GOOD)
    bad = find_kmeans(components, species, BAD)
    write("iris_kmeans_good.csv", ["label"], [[CLUSTERS[code]] for code in good])
    write("iris_kmeans_bad.csv", ["label"], [[CLUSTERS[code]] for code in bad])
    petals = as_text(attributes[:, 2:], decimals=1)
    for name, codes in (("a.csv", good), ("b.csv", bad)):
        labels = [CLUSTERS[code] for code in codes]
        rows = [[*petal, label] for petal, label in zip(petals, labels, strict=True)]
        write(name, [*ATTRIBUTES[2:], "label"], rows)
    write("iris_soft.csv", CLUSTERS, as_text(round_degrees(fit_mixture(attributes, good)), 4))
    write("iris_soft_pc.csv", CLUSTERS, as_text(round_degrees(fit_mixture(components, good)), 4))


def uci_copy(attributes: Matrix) -> Matrix:
    """The attributes as the UCI repository has them."""
    copy = attributes.copy()
    # scikit-learn follows Fisher; UCI differs in the rows 35 and 38.
    copy[[34, 37]] = [4.9, 3.1, 1.5, 0.1]
    return copy


def find_kmeans(coordinates: Matrix, species: Codes, wanted: list[list[int]]) -> Codes:
    """The first k-means clustering, over random starts, with the wanted contingency table."""
    generator = np.random.default_rng(SEED)
    for _ in range(MAX_STARTS):
        start = generator.choice(len(coordinates), size=len(wanted), replace=False)
        kmeans = KMeans(len(wanted), init=coordinates[start], n_init=1, tol=0.0, algorithm="lloyd")
        found = kmeans.fit_predict(coordinates)
        table = contingency_matrix(found, species).tolist()
        if sorted(table) == sorted(wanted):
            codes: Codes = np.array([wanted.index(row) for row in table])[found]
            return codes
    raise RuntimeError(f"none of {MAX_STARTS} starts of k-means gave the table {wanted}")


def fit_mixture(coordinates: Matrix, start: Codes) -> Matrix:
    """Degrees (n, k) of a Gaussian mixture with full covariances, fitted by EM from a start."""
    clusters = [coordinates[start == code] for code in np.unique(start)]
    mixture = GaussianMixture(
        len(clusters),
        weights_init=[len(cluster) / len(coordinates) for cluster in clusters],
        means_init=[cluster.mean(axis=0) for cluster in clusters],
        precisions_init=[np.linalg.inv(np.cov(cluster.T)) for cluster in clusters],
        tol=1e-9,
        max_iter=10_000,
        random_state=SEED,
    )
    degrees: Matrix = mixture.fit(coordinates).predict_proba(coordinates)
    return degrees


def round_degrees(degrees: Matrix) -> Matrix:
    """Degrees with four decimals; the largest of a row takes the rest, so that the sum is 1."""
    parts = np.rint(degrees * 10_000)
    largest = parts.argmax(axis=1)
    parts[np.arange(len(parts)), largest] += 10_000 - parts.sum(axis=1)
    return parts / 10_000


def as_text(numbers: Matrix, decimals: int) -> list[list[str]]:
    """Rows of numbers, written with a fixed number of decimals."""
    return [[f"{number:.{decimals}f}" for number in row] for row in numbers]


def write(name: str, columns: list[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV file whose first column is the id of the flower."""
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", *columns])
        writer.writerows([f"iris-{number:03d}", *row] for number, row in enumerate(rows, start=1))


def read_attributes(name: str) -> Matrix:
    """The numbers of a file that this script wrote, without the ids."""
    columns = range(1, len(ATTRIBUTES) + 1)
    return np.loadtxt(FOLDER / name, delimiter=",", skiprows=1, usecols=columns)


if __name__ == "__main__":
    main()
