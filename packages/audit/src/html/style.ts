// Contains the style sheet of the page, for light and dark screens and for print, with one colour for each state.

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
.bad{color:var(--bad);font-weight:600}.pill{border:1px solid var(--line);border-radius:9px;padding:1px 8px;font-size:12px;white-space:nowrap;color:var(--muted)}
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
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--line:#ccc;--text:#000;--muted:#444;--link:#000;--allowed:#7fb8a4;--grace:#e6bf58;--violation:#c8432f;--not-bound:#8c85c9;--undecidable:#b4b6bb;--bar:#a9c6de;--tick:#2a6cc0;--band:#eef3fb;--band2:#e1ebf8;--down:#f7d8cf;--bad:#ad2c1c;--warn:#7a5a00;--good:#1f6b53}
nav,.filter{display:none}.card,li,tr,figure{break-inside:avoid}.scroll{overflow:visible;background:none}figure svg{width:100%;min-width:0}table{font-size:9px}.dense{font-size:7.5px}.dense td small,.dense .pill{font-size:7px}.pill{padding:0 3px;font-size:8px}th,td,.file div{white-space:normal}th,td,.dense th,.dense td{padding:4px 3px}.wide,.file div{min-width:0}.file .tx,.file .nt,.file .no,td code{font-size:10px}td small{font-size:9px}
details::details-content{content-visibility:visible}body{font-size:12px;print-color-adjust:exact;-webkit-print-color-adjust:exact}}
figure{margin:0}`;
