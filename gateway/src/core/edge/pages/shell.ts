import { type Html, html, jsonForHtml, trusted } from '../../../platform/html.ts'
import type { BuiltFiles } from './files.ts'
import { LOGO } from './logo.ts'

/** A page for people. It loads one style sheet and the scripts that it names, all of our own, and nothing else. */
export interface Page {
  readonly title: string
  /** What stands in the body. The classes are those of web/ui/style.css. */
  readonly body: Html
  /** English where left out. */
  readonly language?: string
  /** Names of built files, as `checkout.js`, or paths of our own, as `/plugin/checkout.js`. */
  readonly scripts?: readonly string[]
  /** Named where the scripts are modules, which load others when they need them. */
  readonly hasModules?: boolean
  /** Names of built style sheets beside the one of all pages, or paths of our own. */
  readonly styles?: readonly string[]
  /** What the page's script starts from; it finds it as JSON in the element `#data`. */
  readonly data?: unknown
  /** Whether it shows pages of our own in frames. */
  readonly hasFrames?: boolean
  /** Origins that may show the page in a frame; nobody may where left out. */
  readonly framedBy?: readonly string[]
  /** Origins to which the answer to a form of the page may redirect, beside our own. */
  readonly formsLeadTo?: readonly string[]
}

/** The page as text. */
export function pageText(page: Page, files: BuiltFiles): string {
  const addressOf = (name: string): string => (name.startsWith('/') ? name : files.find(name).address)
  const kind = page.hasModules === true ? html`type="module"` : html`defer`
  const scripts = (page.scripts ?? []).map((name) => html`<script src="${addressOf(name)}" ${kind}></script>\n`)
  const styles = (page.styles ?? []).map((name) => html`<link rel="stylesheet" href="${addressOf(name)}">\n`)
  const data =
    page.data === undefined
      ? undefined
      : html`<script id="data" type="application/json">${jsonForHtml(page.data)}</script>\n`
  return html`<!doctype html>
<html lang="${page.language ?? 'en'}"${page.framedBy?.length ? html` class="framed"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="stylesheet" href="${files.find('style.css').address}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles}${scripts}</head>
<body>
${page.body}
${data}</body>
</html>
`.markup
}

/** Where a browser tells that a page tried what its policy forbids: that somebody's script got into it. */
export const POLICY_REPORTS = '/csp-reports'

/** The headers that go with a page: what it may load, who may show it, and that nobody keeps it. */
export function pageHeaders({
  framedBy = [],
  formsLeadTo = [],
  scripts = [],
  hasFrames = false,
}: Page): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts.length > 0 ? ["script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'"] : []),
    ...(hasFrames ? ["frame-src 'self'"] : []),
    `form-action ${["'self'", ...formsLeadTo].join(' ')}`,
    `report-uri ${POLICY_REPORTS}`,
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    ...(framedBy.length > 0 ? {} : { 'x-frame-options': 'DENY' }),
  }
}

const MARK = trusted(LOGO.replace('<svg ', '<svg aria-hidden="true" '))

/** A slip of paper in the middle of the page, as all the payer's pages have it: what it is about, a perforation, what to do. */
export const slip = (about: Html, todo: Html): Html => html`<main class="sheet">
<div class="slip">
<header class="asked stack-tight">${about}</header>
<div class="perforation"><i></i></div>
<section class="stack">${todo}</section>
</div>
<footer class="foot"><span class="brand">${MARK} Secured by Kobo</span></footer>
</main>`
