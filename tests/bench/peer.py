"""Five metrics of two files, written as a user of pandas and scikit-learn would write it."""

import json
import sys

import pandas as pd
from sklearn import metrics

a, b = (pd.read_csv(path) for path in sys.argv[1:3])
both = a.merge(b, on="id", suffixes=("_a", "_b"))
labels = both["label_a"], both["label_b"]
values = {
    "ari": metrics.adjusted_rand_score(*labels),
    "ami": metrics.adjusted_mutual_info_score(*labels),
    "nmi": metrics.normalized_mutual_info_score(*labels),
    "v_measure": metrics.v_measure_score(*labels),
    "fowlkes_mallows": metrics.fowlkes_mallows_score(*labels),
}
print(json.dumps(values))
