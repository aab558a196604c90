"""Run a command and print the most memory it held at a time, in bytes.

Linux counts the memory of the process that starts another one too, so this one must be small.
"""

import resource
import subprocess
import sys

subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
