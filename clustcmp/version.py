"""The version, in a module that imports nothing, so that --version is quick."""

VERSION = "0.1.0"
__version__ = VERSION
