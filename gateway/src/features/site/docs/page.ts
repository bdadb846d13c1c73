import { PALETTE, properties } from '../../../core/edge/pages/index.ts'
import { type Html, html, trusted } from '../../../platform/formats/html.ts'
import { GUIDES, guideAddress } from './guides.ts'
import { groupAddress } from './reference.ts'
import { SCRIPT } from './script.ts'
import { QUERY_LENGTH_MAX } from './search.ts'

/** The URL of the search. */
export const SEARCH = '/docs/search'

interface Content {
  readonly title: string
  readonly body: Html
  /** The URL of this page, as in the navigation. */
  readonly address: string
  /** The groups of the reference, in order. */
  readonly groups: readonly string[]
  /** The text in the search field. */
  readonly query?: string
}

/** Renders a page of the documentation: navigation, text, and the script that sends requests. */
export const docsPage = ({ title, body, address, groups, query = '' }: Content): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Kobo</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#text">Skip to content</a>
<nav aria-label="Documentation">
<form role="search" action="${SEARCH}"><input class="search" type="search" name="q" value="${query}" maxlength="${QUERY_LENGTH_MAX}" required aria-label="Search the documentation" placeholder="Search"></form>
<details class="menu" open><summary>Documentation</summary>
<a href="/docs"${current('/docs', address)}><b>Kobo</b></a>
${Object.entries(GUIDES).map(([section, guides]) =>
  links(
    section,
    guides.map((guide) => ({ text: guide.title, to: guideAddress(guide.name) })),
    address,
  ),
)}
${links(
  'API calls',
  groups.map((group) => ({ text: group, to: groupAddress(group) })),
  address,
)}
</details>
</nav>
<main id="text">${body}</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.markup

const current = (to: string, address: string): Html => trusted(to === address ? ' aria-current="page"' : '')

const links = (title: string, items: readonly { text: string; to: string }[], address: string): Html =>
  html`<h2>${title}</h2><ul>${items.map(({ text, to }) => html`<li><a href="${to}"${current(to, address)}>${text}</a></li>`)}</ul>`

/** The only style of the pages. Their Content-Security-Policy contains its hash. */
export const STYLE = `
:root { ${properties(PALETTE.light)} }
@media (prefers-color-scheme: dark) { :root { ${properties(PALETTE.dark)} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink); display: grid; grid-template-columns: minmax(0, 1fr);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
}
nav { padding: 1rem; border-bottom: 1px solid var(--line); font-size: .9375rem; }
nav h2 { font-size: .75rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); margin: 1.25rem .6rem .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem .6rem; border-radius: .4rem; text-decoration: none; color: var(--ink); }
nav a:hover { background: var(--code); }
nav a[aria-current] { background: var(--code); color: var(--accent); font-weight: 600; }
.menu > summary { font-weight: 600; cursor: pointer; padding: .2rem .6rem; }
main { max-width: 52rem; padding: clamp(1rem, 4vw, 2.5rem); min-width: 0; }
h1 { font-size: clamp(1.6rem, 5vw, 2.1rem); line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
h4 { font-size: .9375rem; margin: 1rem 0 .2rem; }
p, ul, ol, table { margin: .6rem 0; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .6rem; }
li { margin: .25rem 0; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
code, pre, textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .875rem; }
:not(pre) > code { background: var(--code); border-radius: .25rem; padding: .05em .3em; overflow-wrap: anywhere; }
td > code { overflow-wrap: break-word; } /* a code stays whole: its table can be scrolled */
pre, textarea {
  margin: .6rem 0; padding: .9rem 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: .6rem;
  line-height: 1.5; font-size: .8125rem; tab-size: 2; color: inherit;
}
pre.response { max-height: 24rem; overflow-y: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
.call { border-top: 1px solid var(--line); margin-top: 2.5rem; }
.call h2 { margin-top: 1.5rem; }
.path, .calls li, .found { overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 3.6rem; font-size: .75rem; font-weight: 700; letter-spacing: .03em; color: var(--accent); }
.fields { list-style: none; padding: 0; margin: .4rem 0; }
.fields > li { padding: .4rem 0; border-top: 1px solid var(--line); margin: 0; }
.fields .fields { padding-left: 1rem; margin-bottom: 0; border-left: 2px solid var(--line); }
.type { color: var(--quiet); font-size: .875rem; }
.required { font-size: .75rem; font-weight: 600; color: var(--gold-ink); background: var(--gold-soft); border-radius: 1rem; padding: .05rem .5rem; }
.about { display: block; color: var(--quiet); font-size: .9375rem; }
details > summary { cursor: pointer; color: var(--accent); padding: .3rem 0; }
.languages { display: flex; flex-wrap: wrap; margin: .6rem 0 -.2rem; }
.languages button { font: inherit; font-size: .875rem; padding: .3rem .6rem; border: 0; border-radius: .4rem; background: none; color: var(--quiet); cursor: pointer; }
.languages button[aria-pressed=true] { background: var(--code); color: var(--accent); font-weight: 600; }
.calls { list-style: none; padding: 0; }
.calls a { text-decoration: none; }
.try form { display: grid; gap: .6rem; margin: .5rem 0; }
.try label { display: grid; gap: .2rem; font-size: .875rem; color: var(--quiet); }
.try input, .try textarea { width: 100%; border: 1px solid var(--strong-line); border-radius: .4rem; padding: .5rem .6rem; background: var(--card); color: var(--ink); font-size: .875rem; }
.try button { justify-self: start; font: inherit; font-weight: 600; padding: .5rem 1.1rem; border: 0; border-radius: .4rem; background: var(--accent); color: var(--paper); cursor: pointer; }
.search { width: 100%; font: inherit; padding: .55rem .8rem; border: 1px solid var(--strong-line); border-radius: .5rem; background: var(--card); color: var(--ink); margin-bottom: .6rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
@media (min-width: 60rem) {
  body { grid-template-columns: 17rem minmax(0, 1fr); }
  nav { border-bottom: 0; border-right: 1px solid var(--line); height: 100vh; position: sticky; top: 0; overflow-y: auto; }
  .menu > summary { display: none; }
}
`
