// Prints the frame of a page: one HTML file that loads nothing, with the style and the script of all reports.
import { cutTextOf } from "../text/safe-text.ts";
import { Markup, html } from "./markup.ts";

/** The parts of a page. */
interface PageParts {
  /** The title in the browser, which is cut. */
  readonly title: string;
  /** What kind of report the page is: "robots.txt audit". */
  readonly kind: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: string;
}

/** The text of a page. Its Content-Security-Policy forbids all requests, and all scripts except the page's own. */
export function pageShell({ title, kind, header, main, footer }: PageParts): string {
  const policy = `default-src 'none'; style-src '${styleHash}'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="generator" content="robots-stream" />
        <title>${cutTextOf(title, 120)}: ${kind}</title>
        ${new Markup(`<style>${style}</style>`)}
      </head>
      <body>
        <header>${header}</header>
        <main>${main}</main>
        <footer><small>robots-stream · ${footer}</small></footer>
        ${new Markup(`<script>${script}</script>`)}
      </body>
    </html> `;
  return `${page.text.trim()}\n`;
}

/** The hash of `style`. */
export const styleHash = "sha256-XUYHJsLdcJRxlk6mPyRzIIvc4S7dpfFrSo2zVsV6YXE=";
/** The hash of `script`. */
export const scriptHash = "sha256-a96if0p68NdbE31L55OAKkReja1Qd5uFRN24jpD6WuY=";

/** The CSS. The page's Content-Security-Policy contains its SHA-256. */
export const style = `:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--line:#e4e2dd;--text:#1d1f23;--muted:#62656b;--link:#1f5fae;
--allowed:#7fb8a4;--grace:#e6bf58;--violation:#c8432f;--not-bound:#8c85c9;--undecidable:#b4b6bb;--bar:#a9c6de;--tick:#2a6cc0;
--band:#eef3fb;--band2:#e1ebf8;--down:#f7d8cf;--bad:#ad2c1c;--warn:#7a5a00;--good:#1f6b53}
@media (prefers-color-scheme:dark){:root{--bg:#17191d;--card:#1f2228;--line:#33373e;--text:#e8e9eb;--muted:#a3a7ae;--link:#84b6ff;
--allowed:#4d937d;--grace:#c9a13b;--violation:#e5634d;--not-bound:#8f88d2;--undecidable:#5f636b;--bar:#4b6387;--tick:#8bb8f5;
--band:#1c2431;--band2:#212f47;--down:#4a2a26;--bad:#ff9180;--warn:#e8c36a;--good:#7fcbb0}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:1100px;margin:0 auto;padding:0 24px}
header{padding-top:40px}header p{margin:4px 0}
h1{font-size:32px;line-height:1.2;margin:2px 0 6px;overflow-wrap:anywhere}h2{font-size:19px;margin:40px 0 10px}h3{font-size:15px;margin:24px 0 8px;overflow-wrap:anywhere}
.muted,small{color:var(--muted);font-size:13px}a{color:var(--link);text-decoration:none}main a,a:hover,a:focus{text-decoration:underline;text-underline-offset:2px}
nav a{display:inline-block;margin:14px 18px 0 0}
code,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:hidden}
.findings{list-style:none;margin:0;padding:0}
.findings li{display:flex;gap:20px;padding:14px 18px;border-left:4px solid var(--undecidable);border-bottom:1px solid var(--line)}
.findings li:last-child{border-bottom:0}.findings .violation{border-left-color:var(--violation)}.findings .warning{border-left-color:var(--grace)}.findings .good{border-left-color:var(--allowed)}
.findings b{flex:0 0 92px;text-align:right;font-size:19px;font-variant-numeric:tabular-nums}
.findings a{white-space:nowrap}
.scroll{overflow-x:auto;background:linear-gradient(90deg,var(--card) 30%,transparent) 0 0/48px 100%,linear-gradient(270deg,var(--card) 30%,transparent) 100% 0/48px 100%,
linear-gradient(90deg,var(--line),transparent) 0 0/14px 100%,linear-gradient(270deg,var(--line),transparent) 100% 0/14px 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
figure.scroll{--card:var(--bg)}
table{border-collapse:collapse;width:100%;font-size:14px}
th{font-weight:400;color:var(--muted);text-align:left;vertical-align:bottom}th,td{padding:9px 10px;border-bottom:1px solid var(--line);vertical-align:top}td{white-space:nowrap}
tr:last-child td{border-bottom:0}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.wide{min-width:170px;white-space:normal}.wide code{overflow-wrap:anywhere}
td small{display:block;white-space:normal}td.n small{max-width:150px;margin-left:auto}td .nb{white-space:nowrap}.dense{font-size:13px}.dense th,.dense td{padding:8px 5px}.dense small{font-size:12px}.dense td.n small{max-width:120px}.dense .wide{min-width:130px}td b,.pill{white-space:nowrap}td svg{display:block;margin:4px 0 0 auto}
td .muted{font-size:inherit}.bad{color:var(--bad);font-weight:600}.pill{border:1px solid var(--line);border-radius:9px;padding:1px 8px;font-size:12px;white-space:nowrap;color:var(--muted)}
.verified{border-color:var(--good);color:var(--good)}.claimed{border-color:var(--warn);color:var(--warn)}.false{border-color:var(--bad);color:var(--bad)}
.legend{margin:6px 0 10px;padding:0;list-style:none;font-size:13px;color:var(--muted)}.legend li{display:inline-block;margin-right:16px}
.legend svg{margin-right:6px}figure svg{max-width:100%;min-width:900px;height:auto}
svg text{fill:var(--muted);font-size:11px}svg .name{fill:var(--text)}svg .own{fill:currentColor}
.f-allowed{fill:var(--allowed)}.f-grace{fill:var(--grace)}.f-violation{fill:var(--violation)}.f-not-bound{fill:var(--not-bound)}.f-undecidable{fill:var(--undecidable)}
.f-p0{fill:#4477aa}.f-p1{fill:#66ccee}.f-p2{fill:#228833}.f-p3{fill:#ccbb44}.f-p4{fill:#ee6677}.f-p5{fill:#aa3377}.f-p6{fill:#997755}.f-p7{fill:#bbbbbb}
.f-bar{fill:var(--bar)}.f-band{fill:var(--band)}.f-band2{fill:var(--band2)}.f-down{fill:var(--down)}
.s-tick{stroke:var(--tick);stroke-width:1.5;fill:none}.s-line{stroke:var(--line);fill:none}.s-event{stroke:var(--muted);stroke-dasharray:2 3;fill:none}
.file{margin:0;padding:10px 0;counter-reset:l}.file div{display:flex;gap:16px;padding:1px 14px;border-left:4px solid transparent;min-width:640px}
.file .no{flex:0 0 40px;text-align:right;color:var(--muted)}.file .tx{flex:0 1 46%;white-space:pre-wrap}.file .nt{flex:1;font-family:system-ui,sans-serif;color:var(--muted)}
.file .crossed{border-left-color:var(--violation)}.file .crossed .nt{color:var(--bad)}.file .used,.file .kept-or-needless{border-left-color:var(--allowed)}
.file .no-url-beneath,.file .no-decision,.file .shadowed,.file .control-token{border-left-color:var(--undecidable)}
.add{color:var(--good)}.del{color:var(--bad)}
details{margin:10px 0}summary{cursor:pointer;color:var(--link)}summary:focus-visible,a:focus-visible,button:focus-visible,input:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer}th[aria-sort=ascending] button::after{content:" \\2191"}th[aria-sort=descending] button::after{content:" \\2193"}
.filter+p:empty{margin:0}.filter{margin:0 0 8px;padding:6px 10px;font:inherit;font-size:14px;border:1px solid var(--line);border-radius:6px;background:var(--card);color:inherit;width:260px;max-width:100%}
footer{margin-top:48px;padding-top:16px;padding-bottom:40px;border-top:1px solid var(--line)}
@media (max-width:640px){header,main,footer{padding-left:14px;padding-right:14px}.findings li{gap:12px;padding:12px}.findings b{flex-basis:56px;font-size:16px}h1{font-size:26px}}
@media screen and (max-width:1100px){.dense th,.dense td{padding:8px 4px}}
@media screen and (max-width:640px){.wide,.dense .wide{min-width:250px}.file div{min-width:0;flex-wrap:wrap;gap:0 16px}.file .tx{flex:1 1 0}.file .nt{flex:0 0 100%;padding-left:56px}}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--line:#ccc;--text:#000;--muted:#444;--link:#000;--allowed:#7fb8a4;--grace:#e6bf58;--violation:#c8432f;--not-bound:#8c85c9;--undecidable:#b4b6bb;--bar:#a9c6de;--tick:#2a6cc0;--band:#eef3fb;--band2:#e1ebf8;--down:#f7d8cf;--bad:#ad2c1c;--warn:#7a5a00;--good:#1f6b53}
nav,.filter{display:none}.card,li,tr,figure{break-inside:avoid}.scroll{overflow:visible;background:none}figure svg{width:100%;min-width:0}table{font-size:9px}.dense{font-size:7.5px}.dense td small,.dense .pill{font-size:7px}.pill{padding:0 3px;font-size:8px}th,td,.file div{white-space:normal}th,td,.dense th,.dense td{padding:4px 3px}.wide,.file div{min-width:0}.file .tx,.file .nt,.file .no,td code{font-size:10px}td small{font-size:9px}
details::details-content{content-visibility:visible}body{font-size:12px;print-color-adjust:exact;-webkit-print-color-adjust:exact}}
figure{margin:0}`;

/** The JavaScript. The page's Content-Security-Policy contains its SHA-256. */
export const script = `"use strict";
for (const table of document.querySelectorAll("table[data-sort]")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const textOf = (row, at) => row.cells[at].textContent;
  const numberOf = (row, at) => Number(row.cells[at].dataset.value ?? textOf(row, at).replaceAll(",", "")) || 0;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isNumber = head.classList.contains("n");
      const isDown = head.getAttribute("aria-sort") === null ? isNumber : head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const sorted = [...rows].sort((one, other) => {
        const [a, b] = isNumber ? [numberOf(one, at), numberOf(other, at)] : [textOf(one, at), textOf(other, at)];
        const order = a < b ? -1 : a > b ? 1 : 0;
        return isDown ? -order : order;
      });
      body.append(...sorted);
    });
  });
  if (rows.length < 8) continue;
  const input = document.createElement("input");
  input.type = "search";
  input.className = "filter";
  input.placeholder = "Filter the rows";
  input.setAttribute("aria-label", "Filter the rows of " + (table.caption?.textContent.trim() ?? "the table"));
  const none = document.createElement("p");
  none.className = "muted";
  none.setAttribute("role", "status");
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    none.textContent = rows.every((row) => row.hidden) ? "No row has this text." : "";
  });
  table.closest(".card").before(input, none);
}
`;
