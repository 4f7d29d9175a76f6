"""Makes, from a seed, the files that both versions read: robots.txt files, their history, and one to three inputs.

Everything is random but valid often enough that most records are decided; some lines are damaged on purpose.
"""

import json
import os
import time

USER_AGENTS = [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)",
    "AcmeBot/1.0 (+https://acme.example)",
    "Mozilla/5.0 (compatible; Foo; +https://foo.example)",
    "Mozilla/5.0 (Windows NT 10.0) Chrome/120",
    "",
    "curl/8.0",
    "Googlebot-Image/1.0",
    "AdsBot-Google (+http://www.google.com/adsbot.html)",
    "ChatGPT-User/1.0",
    "CCBot/2.0 (https://commoncrawl.org/faq/)",
    "MJ12bot/v1.4.8",
    "facebookexternalhit/1.1",
    'Googlebot/2.1 "quoted" x',
    "GPTBot",
]
TOKENS = ["*", "Googlebot", "GPTBot", "bingbot", "AcmeBot", "MJ12bot", "CCBot", "Foo", "AdsBot-Google"]
PATTERNS = ["/", "/a", "/b/", "/*.pdf$", "/c?x=", "/d*e", "", "/%C3%A9", "/é", "/a/../b"]
PATHS = ["/", "/a", "/a/b.pdf", "/b/c", "/c?x=1&y=2", "/d1e", "/robots.txt", "/é", "/%C3%A9", "/a/../b/c", "//x",
         "/a%2Fb", "/x y", "/q?u=https://h2.example/", "/a;b", "/" + "z" * 300, "/%zz", "/d\te", "/a#frag", "/*", "/$"]
DAMAGED = ["", "   ", "not json {", '{"url":', "[1,2]", "null", '"x"', "\x00\x00", "a,b,c,d,e,f,g,h,i,j,k", '"open quote',
           '127.0.0.1 - - [x] "\\x16\\x03" 400 0 "-" "-"', "#comment", "x" * 5000, "\ufeff", '{"url":5}', "{}",
           '{"url":"https://h1.example/","robots":1}', "\u2028", "\x0b", "\x1c", "\x1b[31mred"]
KINDS = ["ndjson", "csv", "semi", "tsv", "lines", "combined", "vhost_combined", "common", "w3c", "pattern", "gcp"]
LOG_KINDS = ["combined", "vhost_combined", "common", "w3c", "pattern", "gcp"]
LOG_PATTERN = '$remote_addr [$time_iso8601] $host "$request" $status "$http_user_agent"'
HOSTS = [f"h{number}.example" for number in range(14)]
DAY = 86_400


class World:
    """The files of one seed, written below `folder`."""

    def __init__(self, rng, folder):
        self.rng = rng
        self.folder = folder
        write_robots(rng, f"{folder}/robots", f"{folder}/entries.ndjson")
        write_history(rng, f"{folder}/history", f"{folder}/observations.ndjson")
        self.kinds = choose_kinds(rng)
        self.files = [f"in{number}" for number in range(len(self.kinds))]
        size = [200, 2000, 3500] if rng.random() < 0.75 else [9000]
        for file, kind in zip(self.files, self.kinds):
            write_bytes(f"{folder}/{file}", input_bytes(rng, kind, rng.choice(size), rng.choice([0, 0, 0.01, 0.05])))
        # A log of its own, so that every seed audits something; its parts are the parts that merge adds up.
        self.log_kind = rng.choice(["vhost_combined", "combined", "gcp", "w3c"])
        self.log_parts = [f"part{number}.log" for number in range(rng.choice([2, 3]))]
        for file in self.log_parts:
            write_bytes(f"{folder}/{file}", input_bytes(rng, self.log_kind, 700, rng.choice([0, 0.02])))

    def only(self, *kinds):
        return all(kind in kinds for kind in self.kinds)


def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data)


def write_text(path, text):
    write_bytes(path, text.encode())


# robots.txt files


def robots_text(rng):
    lines = []
    for _ in range(rng.randint(1, 4)):
        lines += ["User-agent: " + rng.choice(TOKENS) for _ in range(rng.randint(1, 2))]
        patterns = rng.choices(PATTERNS, k=rng.randint(0, 5))
        # Equal patterns compete with equal strength.
        patterns += rng.choices(patterns, k=2) if patterns and rng.random() < 0.3 else []
        lines += [rng.choice(["Allow: ", "Disallow: ", "disallow:"]) + pattern for pattern in patterns]
        for share, line in [
            (0.3, "Crawl-delay: 2"),
            (0.3, "Content-Usage: " + rng.choice(["train-ai=n", "search=y, train-ai=y", "/a train-ai=n"])),
            (0.3, "Content-Signal: " + rng.choice(["ai-train=no", "search=yes, ai-train=no", "ai-input=no"])),
            (0.2, "License: https://x.example/l.xml"),
            (0.2, "Sitemap: https://x.example/s.xml"),
            (0.1, rng.choice(["Dissalow: /a", "User agent *", "Disallow /b", "Noindex: /c", "\x1b[2J: x"])),
        ]:
            if rng.random() < share:
                lines.append(line)
    return rng.choice(["\n", "\r\n", "\r"]).join(lines) + "\n"


def entry(origin, at, status, text):
    """A line of `cache export` without its checksum, as a person would write it."""
    access = "successful" if status == 200 else "unavailable" if status < 500 else "unreachable"
    body = {"body": text} if status == 200 else {}
    return {"origin": origin, "fetchedAt": at * 1000, "freshUntil": (at + DAY) * 1000, "access": access,
            "code": "ok" if status == 200 else f"http-{status}", "status": status, **body,
            "hops": [{"url": origin + "/robots.txt", "status": status}]}


def write_robots(rng, folder, archive):
    """The same robots.txt files as a folder and as entries of a cache."""
    os.makedirs(folder)
    entries = []
    for host in HOSTS:
        status = rng.choices([200, 404, 503, None], [78, 10, 5, 7])[0]
        if status is None:
            continue
        text = robots_text(rng)
        write_text(f"{folder}/{host}.{'txt' if status == 200 else status}", text if status == 200 else "")
        at = 1_767_225_600 + rng.randint(0, 300) * DAY
        entries += [entry(f"{scheme}://{host}", at, status, text) for scheme in ("http", "https")]
        if rng.random() < 0.3:
            text = robots_text(rng)
            write_text(f"{folder}/https@{host}@8443.txt", text)
            entries.append(entry(f"https://{host}:8443", at, 200, text))
    rng.shuffle(entries)
    write_text(archive, "".join(json.dumps(each) + "\n" for each in entries))


def write_history(rng, folder, archive):
    """The same dated robots.txt files as a folder and as entries of a cache."""
    os.makedirs(folder)
    entries = []
    for host in HOSTS:
        if rng.random() < 0.15:
            continue
        times = {1_767_225_600 + rng.randint(0, 330) * DAY + rng.randint(0, 23) * 3600 for _ in range(rng.randint(1, 5))}
        for at in sorted(times):
            status = rng.choices([200, 404, 503], [85, 8, 7])[0]
            text = robots_text(rng)
            written = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
            write_text(f"{folder}/{host}@{written}.{'txt' if status == 200 else status}", text if status == 200 else "")
            entries += [entry(f"{scheme}://{host}", at, status, text) for scheme in ("http", "https")]
    write_text(archive, "".join(json.dumps(each) + "\n" for each in entries))


# Inputs


def choose_kinds(rng):
    count = rng.choice([1, 1, 1, 2, 3])
    first = rng.choice(KINDS)
    if count == 1 or rng.random() < 0.6:
        return [first] * count
    return [rng.choice([kind for kind in KINDS if kind != "pattern"]) for _ in range(count)]


class Request:
    """One request, before it is written in the notation of a format."""

    def __init__(self, rng, number, days):
        self.number = number
        self.host = rng.choice(HOSTS)
        self.scheme = rng.choice(["http", "https", "https"])
        self.port = rng.choice(["", "", "", ":8443", ":443", ":80"])
        self.path = rng.choice(PATHS)
        self.url = f"{self.scheme}://{self.host}{self.port}{self.path}"
        self.user_agent = rng.choice(USER_AGENTS)
        self.time = rng.choice(days) + rng.random() * DAY * 3
        self.address = rng.choice(["66.249.66.", "20.171.206.", "10.0.0.", "2001:db8::", "198.51.100."]) + str(rng.randint(1, 254))
        self.method = rng.choice(["GET", "GET", "GET", "HEAD", "POST", "CONNECT", "OPTIONS", "PRI"])
        self.status = rng.choice([200, 301, 404, 500])
        self.bytes = rng.choice(["0", "123", "-"])
        self.referer = rng.choice(["-", "https://ref.example/x?y", "http://h1.example/"])

    def format_time(self, form):
        return time.strftime(form, time.gmtime(self.time))


def iso_time(rng, request):
    share = rng.random()
    if share < 0.6:
        return request.format_time("%Y-%m-%dT%H:%M:%SZ")
    if share < 0.7:
        return request.format_time("%Y-%m-%dT%H:%M:%S") + ".%03dZ" % (int(request.time * 1000) % 1000)
    if share < 0.8:
        return request.format_time("%Y-%m-%dT%H:%M:%S+02:00")
    if share < 0.9:
        return request.format_time("%Y-%m-%d %H:%M:%S")
    return rng.choice(["", "nonsense", "2026-13-45T99:00:00Z", "0", "-1"])


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def ndjson_line(rng, request):
    record = {
        "i": request.number,
        "url": request.url,
        "user_agent": request.user_agent,
        "time": iso_time(rng, request),
        "client_ip": request.address,
        "method": request.method,
        "request": {"host": request.host, "uri": request.path, "headers": [{"name": "User-Agent", "value": request.user_agent}]},
        "scheme": request.scheme,
    }
    share = rng.random()
    if share < 0.05:
        record = dict(reversed(record.items()))
    elif share < 0.08:
        record["url"] = None
    elif share < 0.1:
        del record["url"]
    elif share < 0.12:
        record["x-robots-tag"] = "noindex"
    line = json.dumps(record, ensure_ascii=rng.random() < 0.5, separators=rng.choice([(",", ":"), (", ", ": ")]))
    if rng.random() < 0.02:
        line = line.replace("/", "\\/")
    if rng.random() < 0.02:
        line = "  " + line + " \t"
    if rng.random() < 0.01:
        line = line[:-1] + ',"url":"https://h3.example/dup"}'
    return line


COLUMNS = ["id", "url", "title", "user_agent", "time", "ip", "method", "host", "path", "scheme"]


def table_row(rng, request, delimiter, has_long_fields):
    title = rng.choice(["t", 'a "q" b', "x,y;z", "", "é", "=1+1", "@x"])
    if has_long_fields and rng.random() < 0.1:
        title = "line1\nline2\n\n" + rng.choice(["https://h1.example/inner,1,2", "", '""'])
    fields = [str(request.number), request.url, title, request.user_agent, iso_time(rng, request), request.address,
              request.method, request.host, request.path, request.scheme]
    if delimiter == "\t":
        return delimiter.join(field.replace("\t", " ").replace("\n", " ") for field in fields)
    return delimiter.join(quoted(rng, field, delimiter) for field in fields)


def quoted(rng, field, delimiter):
    is_special = any(character in field for character in delimiter + '"\n\r')
    return '"' + field.replace('"', '""') + '"' if is_special or rng.random() < 0.1 else field


def access_line(rng, request, kind):
    target = request.path.replace(" ", "%20") if rng.random() < 0.95 else request.path
    if rng.random() < 0.03:
        target = request.url.replace(" ", "")
    host = f"{request.host}{request.port} " if kind == "vhost_combined" else ""
    zone = rng.choice(["+0000", "+0000", "-0500", "+0530"])
    when = request.format_time("%d/%b/%Y:%H:%M:%S ") + zone
    line = f'{host}{request.address} - - [{when}] "{request.method} {target} HTTP/1.1" {request.status} {request.bytes}'
    return line if kind == "common" else f'{line} "{request.referer}" "{escaped(request.user_agent)}"'


W3C_FIELDS = [
    ["date", "time", "c-ip", "cs-method", "cs-host", "cs-uri-stem", "cs-uri-query", "sc-status", "cs(User-Agent)"],
    ["date", "time", "cs-uri-stem", "cs-host", "cs-method", "cs(User-Agent)", "c-ip", "sc-status"],
    ["time", "date", "cs(User-Agent)", "cs-uri-stem", "cs-uri-query", "cs-host", "cs-method"],
    ["date", "time", "cs-method", "cs-uri-stem"],
]


def w3c_line(request, fields):
    stem, _, query = request.path.replace(" ", "%20").replace("\t", "").partition("?")
    values = {
        "date": request.format_time("%Y-%m-%d"),
        "time": request.format_time("%H:%M:%S"),
        "c-ip": request.address,
        "cs-method": request.method,
        "cs-host": request.host + request.port,
        "cs-uri-stem": stem,
        "cs-uri-query": query or "-",
        "sc-status": str(request.status),
        "cs(User-Agent)": request.user_agent.replace(" ", "+") or "-",
    }
    return " ".join(values[field] for field in fields)


def pattern_line(request):
    target = request.path.replace(" ", "%20")
    when = request.format_time("%Y-%m-%dT%H:%M:%S+00:00")
    return f'{request.address} [{when}] {request.host} "{request.method} {target} HTTP/1.1" {request.status} "{escaped(request.user_agent)}"'


def gcp_line(rng, request):
    http = {"requestMethod": request.method, "requestUrl": request.url, "status": request.status,
            "userAgent": request.user_agent, "remoteIp": request.address}
    resource = {"type": "http_load_balancer"}
    return json.dumps({"insertId": "a", "httpRequest": http, "timestamp": iso_time(rng, request), "resource": resource})


def input_bytes(rng, kind, count, damaged_share):
    days = [1_767_225_600 + rng.randint(0, 330) * DAY for _ in range(5)]
    delimiter = {"csv": ",", "semi": ";", "tsv": "\t"}.get(kind)
    has_long_fields = delimiter is not None and rng.random() < 0.5
    fields = W3C_FIELDS[0]
    lines = []
    if delimiter:
        lines.append(delimiter.join(COLUMNS))
    if kind == "w3c":
        lines += ["#Software: x", "#Version: 1.0", "#Fields: " + " ".join(fields)]
    for number in range(count):
        request = Request(rng, number, days)
        if kind == "w3c" and rng.random() < 0.004:
            fields = rng.choice(W3C_FIELDS)
            lines += ["#Date: 2026-01-01 00:00:00", "#Fields: " + " ".join(fields)]
        if len(lines) > 25 and rng.random() < damaged_share:
            lines.append(rng.choice([line for line in DAMAGED if kind != "lines" or "\x00" not in line]))
        lines.append(
            ndjson_line(rng, request) if kind == "ndjson"
            else table_row(rng, request, delimiter, has_long_fields) if delimiter
            else request.url if kind == "lines"
            else w3c_line(request, fields) if kind == "w3c"
            else pattern_line(request) if kind == "pattern"
            else gcp_line(rng, request) if kind == "gcp"
            else access_line(rng, request, kind)
        )
    encoded = [line.encode() for line in lines]
    if rng.random() < 0.3:
        encoded[rng.randrange(40, len(encoded))] += b"\xff\xfe\xc3"
    line_end = rng.choice([b"\n", b"\n", b"\n", b"\r\n"])
    mark = b"\xef\xbb\xbf" if rng.random() < 0.1 else b""
    return mark + line_end.join(encoded) + (line_end if rng.random() < 0.8 else b"")


# Command lines


def decide_flags(world):
    """Random flags of a decide run that fit the inputs, without the flags that name robots.txt files."""
    rng = world.rng
    flags = []

    def maybe(share, *more):
        if rng.random() < share:
            flags.extend(more)
            return True
        return False

    if "pattern" in world.kinds:
        flags += ["--log-format", LOG_PATTERN]
    if any(kind in ("combined", "common", "w3c") for kind in world.kinds) or rng.random() < 0.2:
        flags += ["--base", "https://h1.example"]
    by_record = rng.random() < 0.45 and not any(kind in ("lines", "common") for kind in world.kinds)
    if by_record:
        flags += ["--agent-field", "user_agent"]
    else:
        flags += rng.choice([["--agent", "bingbot"], ["--agent", "Googlebot,GPTBot,AcmeBot"], ["--agents", "ai"],
                             ["--agent", "MJ12bot"], ["--agents", "ads,archive"]])
    two_dialects = maybe(0.2, "--dialect", "google,rfc9309")
    row_of_record = not by_record and not two_dialects and maybe(0.3, "--rows", "record")
    if not row_of_record:
        only = ["disallowed", "allowed", "undecided", "allowed,undecided"] + (["crawlers"] if by_record else [])
        maybe(0.3, "--only", rng.choice(only))
        maybe(0.12, "--page")
    if two_dialects and not by_record:
        maybe(0.3, "--only-differences")
    if "lines" not in world.kinds:
        maybe(0.35, "--since", f"2026-{rng.randint(1, 6):02}-15")
        maybe(0.35, "--until", f"2026-{rng.randint(7, 11):02}-15T03:04:05Z")
        maybe(0.15, "--log-timezone", "Europe/Berlin")
    if world.only("ndjson"):
        maybe(0.3, *rng.choice([["--url-template", "{scheme}://{request.host}{request.uri}"],
                                ["--path-field", "request.uri", "--host-field", "request.host", "--scheme-field", "scheme"]]))
    elif world.only("csv", "semi", "tsv"):
        maybe(0.3, *rng.choice([["--url-template", "{scheme}://{host}{path}"],
                                ["--path-field", "path", "--host-field", "host"]]))
    flags += ["--output", "ndjson" if row_of_record else rng.choice(["ndjson", "ndjson", "csv", "tsv"])]
    maybe(0.2, "--preferences")
    maybe(0.15, "--target", "normalized")
    maybe(0.1, "--matcher-bytes", "1M", "--park-bytes", "100K")
    if world.only(*LOG_KINDS):
        maybe(0.15, "--keep-line")
        maybe(0.15, "--without", "referer,bytes")
    maybe(0.1, "--max-line-bytes", "2000")
    maybe(0.1, "--csv-safe")
    maybe(0.2, "--no-fallback")
    if by_record:
        maybe(0.2, "--verify", "--ranges", "ranges")
    if "lines" not in world.kinds and "--only-differences" not in flags:
        maybe(0.3, "--as-of-record")
    return flags
