"""robots.txt decisions and audits in Apache Spark, from a snapshot of robots.txt files; nothing is fetched."""

from ._audit import audit
from ._bridge import RobotsStreamError
from ._functions import decide, origin, origins, register, robots
from ._notes import RobotsStreamWarning

__all__ = ["RobotsStreamError", "RobotsStreamWarning", "audit", "decide", "origin", "origins", "register", "robots"]
