import { initBankTransfer, initTransaction, login, payIntoAccount, queryTransaction, ROUTES } from '@kobo/contract'
import { LOGO, PALETTE, properties } from '../../core/edge/pages/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import { escapeHtml } from '../../platform/formats/html.ts'

interface Step {
  readonly title: string
  readonly text: string
  readonly command: string
}

const KEYS: Step = {
  title: 'Your keys',
  text: 'Run this in the folder where you ran npm start. It sets shell variables without printing a key, and defines pick, which prints a response and returns one of its fields.',
  command: `eval "$(./kobo credentials | node -e '
  const keys = JSON.parse(require("fs").readFileSync(0, "utf8"))
  for (const name in keys) console.log(name + "=" + keys[name])')"

pick() { node -e '
  const response = JSON.parse(require("fs").readFileSync(0, "utf8"))
  console.error(JSON.stringify(response, null, 2))
  console.log(response.responseBody?.[process.argv[1]] ?? "")' "$1"; }`,
}

const AUTHORIZATION = `-H "Authorization: Bearer $token" \\`
const JSON_BODY = `-H 'Content-Type: application/json' \\`

/** The steps of a first payment. The user pastes their commands into a terminal in this order. */
const STEPS: readonly Step[] = [
  {
    title: 'Log in',
    text: 'Exchange your API keys for an access token. It is valid for an hour.',
    command: `token=$(curl -s -X ${login.method} "$baseUrl${login.path}" \\
  -u "$apiKey:$secretKey" | pick accessToken)`,
  },
  {
    title: 'Create a payment',
    text: 'Ada owes you ₦5,000. You choose the reference; it can be used only once.',
    command: `reference=$(curl -s "$baseUrl${initTransaction.path}" \\
  ${AUTHORIZATION}
  ${JSON_BODY}
  -d '{
    "amount": 5000,
    "customerName": "Ada Obi",
    "customerEmail": "ada@example.com",
    "paymentReference": "order-'$(date +%s)'",
    "paymentDescription": "Two pairs of shoes",
    "currencyCode": "NGN",
    "contractCode": "'$contractCode'"
  }' | pick transactionReference)`,
  },
  {
    title: 'Get an account to pay into',
    text: 'It is for this payment only, and expires after 40 minutes.',
    command: `account=$(curl -s "$baseUrl${initBankTransfer.path}" \\
  ${AUTHORIZATION}
  ${JSON_BODY}
  -d '{"transactionReference": "'$reference'", "bankCode": "035"}' \\
  | pick accountNumber)`,
  },
  {
    title: 'Be the customer',
    text: 'Ada opens her banking app and sends ₦5,000. In the sandbox you do that with a request, or in the bank simulator.',
    command: `curl -s "$baseUrl${payIntoAccount.path}" \\
  ${JSON_BODY}
  -d '{
    "bankCode": "035",
    "accountNumber": "'$account'",
    "amount": 5000,
    "senderName": "Ada Obi"
  }' | pick status`,
  },
  {
    title: 'Check that it is paid',
    text: 'The status is PAID. Your server also gets a webhook if you set a webhook URL.',
    command: `curl -s -G "$baseUrl${queryTransaction.path}" \\
  ${AUTHORIZATION}
  --data-urlencode "transactionReference=$reference" | pick paymentStatus`,
  },
]

const step = ({ title, text, command }: Step): string => `<li>
<h3>${escapeHtml(title)}</h3>
<button type="button" hidden aria-label="Copy the command: ${escapeHtml(title)}">Copy</button>
<p>${escapeHtml(text)}</p>
<pre tabindex="0" aria-label="Command: ${escapeHtml(title)}"><code>${escapeHtml(command)}</code></pre>
</li>`

interface PageLink {
  readonly path: string
  readonly text: string
}

const PAGE_LINKS: Readonly<
  Record<'shop' | 'dashboard' | 'simulator' | 'docs' | 'openApi' | 'ready' | 'metrics', PageLink>
> = {
  shop: { path: '/demo-shop', text: 'Demo shop: buy something and see the checkout' },
  dashboard: { path: '/dashboard', text: 'Dashboard: sign in as the merchant' },
  simulator: { path: '/simulator', text: 'Bank simulator: the customer’s banking app' },
  docs: { path: '/docs', text: 'API reference: every endpoint, with examples you can send' },
  openApi: { path: '/openapi.json', text: 'The API for tools, as OpenAPI 3.1' },
  ready: { path: '/health/ready', text: 'Health check' },
  metrics: { path: '/metrics', text: 'Metrics for Prometheus' },
}

const pageLink = ({ path, text }: PageLink): string =>
  `<li><a href="${path}"><b>${path}</b> <span>${escapeHtml(text)}</span></a></li>`

/** Lists the sandbox-only operations of the contract. */
const sandboxEndpoints = (): string =>
  ROUTES.filter(({ route }) => route.environment === 'sandbox')
    .map(({ route }) => ({ ...route, path: route.path.replace(/:(\w+)/g, '{$1}') }))
    .toSorted((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`))
    .map(
      ({ method, path, summary }) =>
        `<div><dt><span class="method">${method}</span> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></dt><dd>${escapeHtml(summary)}</dd></div>`,
    )
    .join('\n')

const FACTS: readonly string[] = [
  'No real money moves. The simulated bank accepts any sender.',
  'Amounts are naira with at most two decimals: 5000, 5000.5 or "5000.50".',
  'You can move the clock: advance it by 2,400 seconds and an unpaid account has expired.',
  'Webhooks work on localhost: set webhookUrl, without a tunnel.',
  'Retry a POST with the same Idempotency-Key and you get the first response again.',
  'Local times are Lagos time (UTC+1).',
]

/** Renders the page at `/`: in the sandbox it guides to a first payment, in live mode it links to the reference. */
export function homePage(environment: Environment, publicUrl: string): string {
  return environment === 'sandbox' ? sandboxPage(publicUrl) : livePage()
}

const sandboxPage = (publicUrl: string): string =>
  page(`<header>
${LOGO_INLINE}
<h1>Kobo <span class="badge">Sandbox</span></h1>
<p class="lead">A payment gateway on your machine, with a simulated bank, an inbox and a clock you can move forward. It runs at <code>${escapeHtml(publicUrl)}</code></p>
</header>
<main>
<section aria-labelledby="first">
<h2 id="first">Your first payment in five requests</h2>
<p>Paste these into bash or zsh, one after another. Kobo printed your keys when it started; this page never shows them.</p>
<ol class="steps">
${[KEYS, ...STEPS].map(step).join('\n')}
</ol>
</section>
<section aria-labelledby="places">
<h2 id="places">Pages</h2>
<ul class="places">
${Object.values(PAGE_LINKS).map(pageLink).join('\n')}
</ul>
</section>
<section aria-labelledby="controls">
<h2 id="controls">Sandbox endpoints</h2>
<p>Simulate a bank, a customer or the passing of a week. <a href="/docs/reference/sandbox">Read more</a>.</p>
<dl class="controls">
${sandboxEndpoints()}
</dl>
</section>
<section aria-labelledby="facts">
<h2 id="facts">Good to know</h2>
<ul class="facts">
${FACTS.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('\n')}
</ul>
</section>
</main>
<p role="status" class="unseen"></p>
<script>${SCRIPT}</script>`)

const livePage = (): string =>
  page(`<header>
${LOGO_INLINE}
<h1>Kobo</h1>
<p class="lead">A payment gateway.</p>
</header>
<main>
<ul class="places">
${[PAGE_LINKS.dashboard, PAGE_LINKS.docs, { ...PAGE_LINKS.ready, text: 'Health check' }].map(pageLink).join('\n')}
</ul>
</main>`)

const LOGO_INLINE = LOGO.replace('<svg ', '<svg aria-hidden="true" ')

const page = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kobo</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`

/** The page's only style and only script. Its Content-Security-Policy contains their hashes. */
export const STYLE = `
:root {
  ${properties(PALETTE.light)}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${properties(PALETTE.dark)}
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0 auto; max-width: 46rem; padding: clamp(1.25rem, 5vw, 4rem) clamp(1rem, 4vw, 2rem) 4rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
}
h1, h2, h3, p { margin: 0; }
h1 { font-size: clamp(1.75rem, 6vw, 2.5rem); line-height: 1.15; letter-spacing: -.02em; display: flex; align-items: center; gap: .75rem; flex-wrap: wrap; }
h2 { font-size: 1.35rem; line-height: 1.3; letter-spacing: -.01em; margin-top: clamp(2.5rem, 7vw, 3.5rem); }
h3 { font-size: 1rem; padding-right: 5rem; }
h2 + p, li > p { color: var(--quiet); margin-top: .25rem; }
header svg { width: 3.5rem; height: 3.5rem; display: block; margin-bottom: 1rem; }
.badge { font-size: .8rem; letter-spacing: .02em; font-weight: 600; padding: .15rem .6rem; border-radius: 1rem; background: var(--gold-soft); color: var(--gold-ink); }
.lead { color: var(--quiet); margin-top: .75rem; font-size: 1.125rem; text-wrap: pretty; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .875rem; }
.lead code { overflow-wrap: anywhere; color: var(--ink); }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
ol, ul, dl { margin: 1.25rem 0 0; padding: 0; }
.steps { list-style: none; counter-reset: step -1; }
.steps > li { counter-increment: step; position: relative; padding: 0 0 1.75rem 2.75rem; }
.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: -.1rem; width: 1.75rem; height: 1.75rem; border-radius: 50%;
  display: grid; place-items: center; font-size: .875rem; font-weight: 600; color: var(--accent); border: 1.5px solid var(--accent);
}
.steps > li:first-child::before { content: ''; background: var(--accent); transform: scale(.35); }
.steps > li:not(:last-child)::after { content: ''; position: absolute; left: .84rem; top: 2rem; bottom: .4rem; width: 1.5px; background: var(--line); }
pre {
  margin: .75rem 0 0; padding: .9rem 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: .6rem;
  line-height: 1.55; font-size: .8125rem; tab-size: 2;
}
pre code { font-size: inherit; }
button {
  position: absolute; top: -.15rem; right: 0; min-width: 4.5rem; font: 600 .75rem/1 system-ui, sans-serif; padding: .45rem .65rem; border-radius: .4rem; cursor: pointer;
  color: var(--accent); background: var(--card); border: 1px solid var(--line);
}
button:hover { border-color: var(--accent); }
.places { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: .75rem; }
.places a {
  display: block; height: 100%; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); text-decoration: none;
}
.places a:hover { border-color: var(--accent); }
.places b { display: block; overflow-wrap: anywhere; }
.places span { color: var(--quiet); font-size: .9375rem; }
.controls > div { padding: .7rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: 1fr; gap: .1rem 1.5rem; }
.controls > div:last-child { border-bottom: 1px solid var(--line); }
.method { display: inline-block; min-width: 2.9rem; font-size: .75rem; font-weight: 700; letter-spacing: .03em; color: var(--accent); }
dd { margin: 0; color: var(--quiet); font-size: .9375rem; }
.facts { padding-left: 1.1rem; }
.facts li { margin-top: .4rem; }
.facts li::marker { color: var(--accent); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (min-width: 40rem) { .controls > div { grid-template-columns: 19rem 1fr; align-items: baseline; } }
@media (max-width: 30rem) {
  .steps > li { padding-left: 0; }
  .steps > li::after, .steps > li:first-child::before { display: none; }
  .steps > li:not(:first-child) > h3 { padding-left: 2.5rem; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
`

export const SCRIPT = `
const status = document.querySelector('[role=status]')
for (const button of document.querySelectorAll('.steps button')) {
  const command = button.parentElement.querySelector('pre')
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command.textContent)
      button.textContent = status.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(command)
      button.textContent = status.textContent = 'Selected'
    }
    setTimeout(() => { button.textContent = 'Copy'; status.textContent = '' }, 2000)
  })
}
`
