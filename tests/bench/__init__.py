"""Speed and memory of clustcmp, as ratios against other programs in the same run.

python -m tests.bench [NAME...] [--json FILE]
"""
