"""How the report looks: on a screen by day and by night, on a telephone, on paper."""

STYLE = """
:root { color-scheme: light; --paper: #fff; --ink: #1b1f24; --soft: #58616c; --line: #d8dde3; --wash: #f4f6f8;
  --one: #1f5fa8; --two: #b8500a; --three: #2a7448; --good: #2a7448; --bad: #b3261e; --heat: 31 95 168;
  --doubt: 214 110 20; }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --paper: #15181b; --ink: #e3e7eb;
  --soft: #9aa5b0; --line: #333a41; --wash: #1d2125; --one: #6db2f5; --two: #f29b58; --three: #6cc48f; --good: #6cc48f;
  --bad: #ff8a80; --heat: 109 178 245; --doubt: 242 155 88; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; background: var(--paper);
  color: var(--ink); max-width: 66rem; margin: auto; padding: 2.5rem 1.5rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.2; margin: .2rem 0 .6rem; letter-spacing: -.015em; }
h2 { font-size: 1.35rem; margin: 0 0 .6rem; letter-spacing: -.01em; }
h3 { font-size: 1rem; margin: 1.8rem 0 .3rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
a { color: var(--one); }
small, .soft, figcaption, caption { color: var(--soft); }
section { border-top: 1px solid var(--line); margin-top: 2.6rem; padding-top: 1.6rem; }
.eyebrow { color: var(--soft); margin: 0; }
.lead { font-size: 1.12rem; max-width: 50rem; }
nav { margin: 1.4rem 0 0; } nav a { margin-right: 1.1rem; text-decoration: none; display: inline-block; }
nav a:hover { text-decoration: underline; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem 1.5rem;
  margin: 1.6rem 0 0; }
.figures dt { color: var(--soft); font-size: .9rem; } .figures dd { margin: 0; }
.figures strong { font-size: 1.7rem; line-height: 1.25; font-weight: 600; letter-spacing: -.015em; display: block;
  font-variant-numeric: tabular-nums; }
.aside { background: var(--wash); border-radius: .4rem; padding: .8rem 1rem; margin: 1.4rem 0 0; }
.aside ul { margin: .2rem 0 0; padding-left: 1.2rem; } .aside p { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1.4rem 2rem; }
.charts.words { grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
figure { margin: 0; break-inside: avoid; } figcaption { font-size: .9rem; } figcaption strong { color: var(--ink); }
.key { margin-left: .9rem; color: var(--c); } .key::before { content: "\\2015\\00a0"; font-weight: bold; }
.key.c2::before { content: "\\25cf\\00a0"; }
svg { display: block; max-width: 100%; height: auto; } svg text { font-size: 12.5px; fill: var(--soft); }
.c1 { --c: var(--one); } .c2 { --c: var(--two); } .c3 { --c: var(--three); }
.grid { stroke: var(--line); fill: none; } .line { stroke: var(--c); stroke-width: 2; fill: none;
  stroke-linejoin: round; stroke-linecap: round; }
.mark path, path.mark { stroke: var(--soft); stroke-dasharray: 3 3; fill: none; }
.mark { pointer-events: all; } .lines { fill: var(--line); }
.hit circle { fill: transparent; } .hit circle.dot, .dot { fill: var(--c); } .hit circle.quiet { opacity: 0; }
.hit:hover .dot { opacity: 1; stroke: var(--paper); }
.scroll { overflow-x: auto; margin: .5rem 0 1rem; }
table { border-collapse: collapse; overflow-wrap: normal; } caption { text-align: start; font-size: .9rem; }
th, td { padding: .28rem 1.3rem .28rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line);
  font-weight: normal; }
thead th { color: var(--soft); font-size: .87rem; vertical-align: bottom; }
.n { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; } .m { vertical-align: middle; }
tbody th { min-width: 7rem; } .buckets tbody th { min-width: 13rem; } .kinds td:last-child { min-width: 16rem; }
td .soft { font-size: .9rem; }
.better { color: var(--good); } .worse { color: var(--bad); }
code, pre { font: .87rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { background: var(--wash); border-radius: .4rem; padding: .8rem 1rem; white-space: pre-wrap; margin: .5rem 0 1rem; }
details { margin: .6rem 0; } summary { cursor: pointer; } summary:hover { text-decoration: underline; }
.sample { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1.6rem 0; break-inside: avoid; }
dl.texts { display: grid; grid-template-columns: 6.5rem 1fr; gap: .1rem .8rem; margin: .3rem 0; }
dl.texts dt { color: var(--soft); font-size: .9rem; } dl.texts dd { margin: 0; }
.translation span { background: rgb(var(--doubt) / calc(.55 - .55 * var(--p))); border-radius: .2em;
  padding: 0 .12em; }
.heat td, .heat th { border: 0; padding: 0; font-size: .85rem; } .heat thead th { writing-mode: vertical-rl;
  transform: rotate(180deg); padding: .3rem 0; text-align: start; vertical-align: top; line-height: 1.2; }
.heat tbody th { padding-right: .5rem; text-align: end; white-space: nowrap; min-width: 0; }
.heat td { width: 1.5rem; min-width: 1.5rem; height: 1.4rem; border: 1px solid var(--paper);
  background: color-mix(in srgb, rgb(var(--heat)) calc(100% * var(--w)), var(--wash)); print-color-adjust: exact;
  -webkit-print-color-adjust: exact; }
footer { border-top: 1px solid var(--line); margin-top: 2.6rem; padding-top: 1rem; color: var(--soft);
  font-size: .9rem; }
@media (max-width: 40rem) { body { padding: 1.2rem 1rem 3rem; } h1 { font-size: 1.55rem; }
  svg:not(.whisker) text { font-size: 15px; } dl.texts { grid-template-columns: 1fr; }
  dl.texts dd { margin-bottom: .5rem; } .figures { grid-template-columns: repeat(2, 1fr); } }
@media print { @page { margin: 16mm; } html { font-size: 9.5pt; } body { max-width: none; padding: 0; }
  nav { display: none; } th, td { padding-right: .8rem; } .buckets tbody th { min-width: 9rem; }
  svg:not(.whisker) text { font-size: 16px; } .whisker { width: 110px; } section { margin-top: 1.6rem; }
  section { break-inside: auto; } h2, h3, thead { break-after: avoid; } tr, .aside { break-inside: avoid; }
  .charts { grid-template-columns: 1fr 1fr; } .scroll { overflow: visible; }
  pre, .aside { border: 1px solid var(--line); }
  .translation span { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; opacity: 1; } }
"""
