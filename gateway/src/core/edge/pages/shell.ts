import { type Html, html, jsonForHtml, trusted } from '../../../platform/formats/html.ts'
import type { BuiltFiles } from './files.ts'
import { LOGO } from './logo.ts'
import type { PayerLanguage } from './writer.ts'

/** A page. It loads only our own files: the common style sheet and the scripts and styles named here. */
export interface Page {
  readonly title: string
  /** The body. Its classes are in web/ui/style.css. */
  readonly body: Html
  /** The language; English by default. */
  readonly language?: string
  /** Built files such as `checkout.js`, or our own paths such as `/plugin/checkout.js`. */
  readonly scripts?: readonly string[]
  /** Set if the scripts are modules that load others. */
  readonly hasModules?: boolean
  /** Built style sheets in addition to the common one, or our own paths. */
  readonly styles?: readonly string[]
  /** The script's initial data, as JSON in the element `#data`. */
  readonly data?: unknown
  /** Whether the page embeds our own pages in frames. */
  readonly hasFrames?: boolean
  /** Origins that may frame the page; none by default. */
  readonly framedBy?: readonly string[]
  /**
   * Whether the page is the result of a submitted form. Such a page cannot be loaded again, so the browser may cache it
   * for the Back button.
   */
  readonly isFormResult?: boolean
  /** Other origins that a form of the page may redirect to. */
  readonly formsLeadTo?: readonly string[]
}

/** Returns the page as HTML. */
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

/** The path to which browsers report content security policy violations, such as an injected script. */
export const POLICY_REPORTS = '/csp-reports'

/** Returns the headers of a page: what it may load, who may frame it, and whether it may be cached. */
export function pageHeaders({
  framedBy = [],
  formsLeadTo = [],
  scripts = [],
  hasFrames = false,
  isFormResult = false,
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
    'cache-control': isFormResult ? 'private, no-cache' : 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    ...(framedBy.length > 0 ? {} : { 'x-frame-options': 'DENY' }),
  }
}

const MARK = trusted(LOGO.replace('<svg ', '<svg aria-hidden="true" '))

/** Builds the card in the middle of a payer's page: its subject, a divider, what to do, and the language links. */
export const payerSlip = (
  about: Html,
  todo: Html,
  { language, words }: PayerLanguage,
): Html => html`<main class="sheet checkout">
<div class="slip">
<header class="summary stack-tight">${about}</header>
<div class="perforation"><i></i></div>
<section class="stack">${todo}</section>
</div>
<footer class="foot"><nav class="languages" aria-label="${words.language}">
${Object.entries(words.languageNames).map(([code, name]) => html`<a lang="${code}" href="?lang=${code}"${code === language && html` aria-current="true"`}>${name}</a>\n`)}</nav>
<span class="brand">${MARK} ${words.securedBy}</span></footer>
</main>`
