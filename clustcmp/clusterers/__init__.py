"""Clusterers: what makes clusterings of points, for analyses that need many of them.

    base        what a clusterer takes and gives
    fitting     one fit of an estimator: one thread, warnings as notes, errors as ours
    algorithms  the algorithms that have a name, such as kmeans
    objects     estimators and functions that Python gives
    programs    other programs, started once for each clustering
    calls       starting programs, and ending them whatever happens to clustcmp
    make        the clusterer that a user asks for
    running     many fits side by side, where that pays
    transfer    the clusters that points of another sample would have

Nothing here is imported unless a user asks for it. scikit-learn is optional.
"""
