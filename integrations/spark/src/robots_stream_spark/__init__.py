"""robots.txt decisions in Apache Spark, from a snapshot of robots.txt files; nothing is fetched."""

from ._bridge import RobotsStreamError
from ._functions import decide, origin, origins, register, robots

__all__ = ["RobotsStreamError", "decide", "origin", "origins", "register", "robots"]
