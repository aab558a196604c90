"""Significance: how sure a value is, whether it is more than chance, and which of two is closer.

    many        many tables at once, as arrays of the sums that formulas of metrics read
    leaving     the values of a metric without one point, one cluster or one group of points
    intervals   standard errors and the ends of intervals
    moments     exact mean and variance of the pairs that chance puts together
    drawing     random tables that keep the sizes of all clusters
    chance      a value among those of random clusterings
    versus      the difference between two candidates
    assess      all of these for the results of a comparison

Nothing here is imported unless a user asks for it.
"""
