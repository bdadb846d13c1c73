import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type BuiltFiles, PALETTE, POLICY_REPORTS, properties } from '../../core/edge/pages/index.ts'
import type { ReceiptKeys } from '../../core/security/receipt-keys.ts'
import { html, trusted } from '../../platform/formats/html.ts'

/** The path of the page that checks receipts. The signed statement follows after #. */
export const VERIFIER_PATH = '/receipt'
const KEYS_PATH = '/.well-known/kobo-receipt-keys.json'
const WORKER_PATH = '/receipt-worker.js'
const SHORTLY = 'public, max-age=300'

const COLOURS = [
  'paper',
  'card',
  'ink',
  'quiet',
  'line',
  'strong-line',
  'accent',
  'accent-ink',
  'gold-ink',
  'wrong',
] as const
const coloursOf = (colours: Readonly<Record<string, string>>): string =>
  properties(Object.fromEntries(COLOURS.map((name) => [name, colours[name] ?? ''])))

const STYLE = `
:root { ${coloursOf(PALETTE.light)} }
@media (prefers-color-scheme: dark) { :root { ${coloursOf(PALETTE.dark)} } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 30rem; padding: 1.5rem 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3; }
h2 { margin: 0; font-size: 1.25rem; line-height: 1.3; }
h2::before { margin-right: .5rem; }
#result:not(:empty), form { padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem; }
#result:not(:empty) { border-top: .35rem solid var(--strong-line); }
#result.good { border-top-color: var(--accent); } .good h2 { color: var(--accent); } .good h2::before { content: '✓' / ''; }
#result.bad { border-top-color: var(--wrong); } .bad h2 { color: var(--wrong); } .bad h2::before { content: '✗' / ''; }
.note { color: var(--gold-ink); font-weight: 600; }
dl { margin: 1rem 0; } dt { color: var(--quiet); font-size: .875rem; } dd { margin: 0 0 .6rem; font-weight: 600; overflow-wrap: anywhere; }
label, input, button { display: block; width: 100%; font: inherit; }
input, button { min-height: 3rem; margin-top: .75rem; padding: .5rem .8rem; border: 1px solid var(--strong-line); border-radius: .75rem; background: var(--card); color: inherit; }
button { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
button:disabled { opacity: .6; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none; }
`

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const pageOf = (script: string): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Check a receipt</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}</style>
<main>
<h1>Check a receipt</h1>
<noscript><p>This page needs JavaScript to check a receipt.</p></noscript>
<div id="result" aria-live="polite"></div>
<form>
<label>Scan the QR code of a receipt, or paste its link:<input name="link" type="text" inputmode="url" autocomplete="off" required></label>
<button>Check</button>
</form>
</main>
<script>${trusted(script)}</script>
</html>
`.markup

interface Deps {
  readonly files: BuiltFiles
  readonly receiptKeys: ReceiptKeys
}

/**
 * Serves the page that checks receipts (complete in one file), the worker that keeps the page for use offline, and the
 * public keys, which any site may read.
 */
export function verifierRoutes(http: FastifyInstance, { files, receiptKeys }: Deps): void {
  const script = files.find('receipt.js').plain.toString().trim()
  const page = pageOf(script)
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "connect-src 'self'",
    "worker-src 'self'",
    'img-src data:',
    `style-src ${hashSource(STYLE)}`,
    `script-src ${hashSource(script)}`,
    "require-trusted-types-for 'script'",
    `report-uri ${POLICY_REPORTS}`,
  ].join('; ')

  http.get(VERIFIER_PATH, async (_, reply) =>
    reply
      .headers({
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': SHORTLY,
      })
      .type('text/html; charset=utf-8')
      .send(page),
  )
  http.get(WORKER_PATH, async (_, reply) =>
    reply
      .headers({ 'content-security-policy': "default-src 'none'; connect-src 'self'", 'cache-control': 'no-cache' })
      .type('text/javascript; charset=utf-8')
      .send(files.find('receipt-worker.js').plain),
  )
  http.get(KEYS_PATH, async (_, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': SHORTLY })
      .type('application/jwk-set+json')
      .send(JSON.stringify(receiptKeys.published())),
  )
}
