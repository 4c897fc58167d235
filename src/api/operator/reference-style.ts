/** The style of the reference page: light or dark like the system, for any width, printable. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b2330, #e6eaf1); --soft: light-dark(#566174, #9aa6ba);
  --line: light-dark(#dfe4ec, #2b3442); --paper: light-dark(#ffffff, #12161d); --shade: light-dark(#f5f7fa, #1a202a);
  --blue: light-dark(#1d5fd1, #7fb0ff); --green: light-dark(#146c43, #6bd39a); --red: light-dark(#b02a37, #ff8f98);
  --violet: light-dark(#6a35b8, #c39bff); }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; border-right: 1px solid var(--line);
  background: var(--shade); font-size: .9rem; }
nav ul { list-style: none; margin: 1.25rem 0; padding: 0; }
nav li a { display: grid; grid-template-columns: 4.6rem 1fr; gap: 0 .5rem; padding: .4rem .5rem; border-radius: .4rem;
  color: inherit; text-decoration: none; align-items: center; }
nav li a:hover, nav li a:focus-visible { background: var(--paper); }
nav li code { grid-column: 2; font-size: .75rem; color: var(--soft); background: none; padding: 0; overflow-wrap: anywhere; }
.brand { font-size: 1.15rem; font-weight: 700; margin: 0; }
.brand small { display: block; font-weight: 400; color: var(--soft); }
main { padding: 2.5rem clamp(1.25rem, 5vw, 4rem) 6rem; max-width: 64rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 0; display: flex; gap: .75rem; align-items: center; flex-wrap: wrap; }
h2 code { font-size: 1.05rem; background: none; padding: 0; overflow-wrap: anywhere; }
h2.part { font-size: 1.6rem; margin-top: 4rem; }
h3 { font-size: 1.35rem; margin: .75rem 0 .25rem; }
h4 { margin: 1.5rem 0 .5rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
section { margin-top: 2.5rem; padding-top: 2.5rem; border-top: 1px solid var(--line); }
p { margin: .4rem 0; max-width: 46rem; }
a { color: var(--blue); }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .875em; }
code { background: var(--shade); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto; line-height: 1.45; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 500; white-space: nowrap; }
th small { display: block; color: var(--soft); font-weight: 400; }
td p { margin: 0; }
dl { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: .5rem 1rem; margin: 0; }
dt { font: 600 .9rem/1.6 ui-monospace, monospace; }
dd { margin: 0; font-size: .9rem; }
dt.good { color: var(--green); } dt.bad { color: var(--red); }
summary { cursor: pointer; color: var(--blue); font-size: .85rem; }
.method { font-size: .7rem; letter-spacing: .04em; padding: .15rem .45rem; border-radius: .3rem; border: 1px solid currentColor;
  color: var(--blue); justify-self: start; }
.method.post { color: var(--green); } .method.delete { color: var(--red); } .method.event { color: var(--violet); }
@media (max-width: 56rem) { body { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } }
@media print { nav { display: none; } body { display: block; } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
`
