// Renders the text of `audit --help` from the table of flags.
import { renderRows } from "../../cli/flag-help.ts";
import { auditFlags } from "./flags.ts";

export function renderAuditHelp(): string {
  return `robots-stream audit: which crawlers came, and which obeyed robots.txt?

Usage
  robots-stream audit LOG … --base ORIGIN [flags]
  … | robots-stream audit --base ORIGIN [flags]

Reads access logs and counts each crawler's requests: allowed, disallowed, or undecidable. The report accuses a crawler only of violations that dated robots.txt files (--robots-history) prove. docs/AUDIT.md explains every number.

Examples
  robots-stream audit access.log.gz --base https://shop.example
  robots-stream audit access.log.gz --base https://shop.example --output-file report.html
  robots-stream audit access.log.gz --base https://shop.example --robots-history seen/ --fail-on "violations>0"
  robots-stream audit access.log.gz --base https://shop.example --candidate new-robots.txt
  robots-stream audit access.log.gz --base https://shop.example -o json > part1.json

Flags
${renderRows(auditFlags)}

Exit codes
  0    the report is complete
  1    --fail-on was met
  2    wrong usage, or nothing could be read
  3    reading or writing failed midway, and the report covers the records read before the failure; or saved robots.txt files are damaged
  130  stopped by Ctrl-C, without a report
  143  stopped by SIGTERM, without a report
`;
}
