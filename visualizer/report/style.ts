import { SANS } from '../charts/svg.ts';
import { DARK_SERIES, SERIES } from './drawing.ts';

const seriesRules = (colours: readonly string[]) =>
  colours
    .map(
      (colour, index) =>
        `.figure .s${index}.line{stroke:${colour}}.figure .s${index}.mark{fill:${colour}}`,
    )
    .join('');

const LIGHT =
  '--page:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--link:#0b5cad;--shade:#f6f8fa';
const DARK =
  '--page:#12161c;--ink:#e6e9ee;--soft:#9aa4b1;--line:#2d3540;--link:#7ab8ff;--shade:#1a2029';

const SCREEN = `
:root{${LIGHT};color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1120px;padding:24px 20px 80px;background:var(--page);color:var(--ink);font:15px/1.5 ${SANS}}
h1{font-size:28px;line-height:1.2;margin:8px 0 12px}
h2{font-size:20px;margin:44px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
h3{font-size:15px;margin:20px 0 4px}
p{margin:6px 0 10px;max-width:76ch}
a{color:var(--link);text-underline-offset:2px}
.lead,.digest{color:var(--soft)}
.digest{font-family:ui-monospace,monospace;font-size:12px;overflow-wrap:anywhere}
nav ol{columns:3 220px;padding-left:22px;margin:14px 0;font-size:14px}
.tables{display:flex;flex-wrap:wrap;gap:6px 56px;align-items:flex-start}
.table{overflow-x:auto;margin:14px 0 18px;max-width:100%}
[data-wide]{min-width:165px!important}
.table:focus-visible{outline:2px solid var(--link)}
table{border-collapse:collapse;font-size:13.5px;border-bottom:1.5px solid var(--ink)}
caption{text-align:left;max-width:640px;color:var(--soft);padding-bottom:6px;font-size:13px}
thead th{border-top:1.5px solid var(--ink);border-bottom:1px solid var(--ink);font-weight:600;vertical-align:bottom;max-width:150px}
th,td{padding:4px 14px 4px 0;text-align:right;vertical-align:top;font-variant-numeric:tabular-nums}
th.label,td.label,th[scope=row]{text-align:left;font-weight:400;overflow-wrap:anywhere;min-width:80px;max-width:260px}
thead th.label{font-weight:600}
td a,td span{color:inherit;text-decoration:none;white-space:nowrap}
td a:hover,td a:focus-visible{text-decoration:underline dotted}
td small{display:block;color:var(--soft);font-size:11.5px;white-space:nowrap}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:24px}
figure{margin:10px 0;min-width:0}
.drawing{overflow-x:auto}
.figure{display:block;max-width:100%;height:auto}
figcaption{color:var(--soft);font-size:13px;max-width:520px}
pre{background:var(--shade);padding:10px 12px;overflow-x:auto;font:12px/1.45 ui-monospace,monospace;border-radius:4px}
.query:target{background:var(--shade);outline:2px solid var(--link);outline-offset:6px}
.sources{padding-left:22px}
summary{cursor:pointer}
.csv{font-size:12px;margin:2px 0}
`;

const AT_NIGHT = `@media(prefers-color-scheme:dark){:root{${DARK}}
.figure .ink{fill:var(--ink)}.figure .soft{fill:var(--soft)}.figure .grid,.figure .empty{stroke:var(--line)}.figure .axis{stroke:var(--soft)}.figure .mark,.figure .clear{stroke:var(--page)}
${seriesRules(DARK_SERIES)}}`;

const ON_PHONES =
  '@media(max-width:560px){body{padding:14px 12px 60px;font-size:16px}h1{font-size:23px}.figure{min-width:430px}th,td{padding-right:10px}}';

/** Print is black on white, whatever the screen theme. */
const IN_PRINT = `@media print{:root{${LIGHT}}body{max-width:none;padding:0;font-size:10.5pt}nav,details{display:none}a{color:inherit;text-decoration:none}
h2,h3{break-after:avoid}figure,tr,.query{break-inside:avoid}.table,.drawing{overflow:visible}table{font-size:8.5pt}td small{font-size:7.5pt}.figures{grid-template-columns:1fr 1fr}pre{white-space:pre-wrap;font-size:7.5pt}
.figure .ink{fill:#1b1f24}.figure .soft{fill:#57606a}.figure .grid,.figure .empty{stroke:#d8dee4}.figure .axis{stroke:#57606a}.figure .mark,.figure .clear{stroke:#fff}${seriesRules(SERIES)}}`;

export const REPORT_STYLE = `${SCREEN}${AT_NIGHT}${ON_PHONES}${IN_PRINT}`;
