// Compares parseTarget() of @robots-stream/url with new URL() plus reads of origin, pathname and search, on the same URLs.
import { parseTarget } from "@robots-stream/url";
import { createMixedUrls, createUrls } from "../data/urls.ts";
import { type Times, measure } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, judged, judgement, showRatio, showTime } from "../report.ts";

export function runUrl(options: SuiteOptions): Report {
  const count = options.quick ? 500 : 100_000;
  const lists = [
    { name: "URLs of 5,000 hosts", urls: () => createMixedUrls(count, options.seed) },
    { name: "URLs of one host", urls: () => createUrls("https://www.example.com", count, options.seed) },
  ];
  const rows: Row[] = [];
  for (const { name, urls } of lists) {
    if (!options.wants(name)) continue;
    options.progress(name);
    rows.push(
      judged({ urls: name, ...compare(urls(), options) }, [["ratio", "≥", 3]], "who reads logs of billions of lines"),
    );
  }
  return {
    suite: "url",
    title: "CPU time per URL for origin and target, against new URL() with origin, pathname and search",
    columns: [
      { key: "urls", heading: "URLs" },
      { key: "ours", heading: "parseTarget", show: showTime },
      { key: "theirs", heading: "new URL", show: showTime },
      { key: "ratio", heading: "CPU ratio", show: showRatio },
      { key: "wallRatio", heading: "wall ratio", show: showRatio },
      { key: "differentOrigins", heading: "origins differ" },
      { key: "differentTargets", heading: "targets differ" },
      ...judgement,
    ],
    rows,
    notes: [
      "Targets differ where parseTarget writes escapes in upper case; new URL() leaves escapes as they are.",
      "The 5,000 hosts come in random order, so consecutive URLs rarely share an origin.",
    ],
  };
}

function compare(urls: readonly string[], options: SuiteOptions): Row {
  const ours = (): number => {
    let length = 0;
    for (const url of urls) {
      const parsed = parseTarget(url);
      if (parsed !== undefined) length += parsed.origin.length + parsed.target.length;
    }
    return length;
  };
  const theirs = (): number => {
    let length = 0;
    for (const url of urls) {
      const parsed = new URL(url);
      length += parsed.origin.length + parsed.pathname.length + parsed.search.length;
    }
    return length;
  };
  const [our, their] = measure(
    [
      { units: urls.length, run: ours },
      { units: urls.length, run: theirs },
    ],
    options,
  ) as [Times, Times];
  let differentOrigins = 0;
  let differentTargets = 0;
  for (const url of urls) {
    const parsed = parseTarget(url);
    const standard = new URL(url);
    if (parsed?.origin !== standard.origin) differentOrigins++;
    if (parsed?.target !== standard.pathname + standard.search) differentTargets++;
  }
  return {
    ours: our.cpuNs,
    theirs: their.cpuNs,
    ratio: their.cpuNs / our.cpuNs,
    wallRatio: their.wallNs / our.wallNs,
    compared: urls.length,
    differentOrigins,
    differentTargets,
  };
}
