import { moment } from '../ui/dates.ts'

/**
 * Checks a receipt on this device. The signed statement is after # in the URL, which browsers never send. After the
 * first visit, a service worker keeps this page and the public keys, so that it also works offline.
 */

const KEYS = '/.well-known/kobo-receipt-keys.json'
const STATUS = '/receipt/status'
const WORKER = '/receipt-worker.js'
const PARTS = 4
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** The facts, in the order of `signReceipt` in the gateway. */
type Facts = readonly [
  merchant: string,
  amount: string,
  currency: string,
  paidAt: number,
  reference: string,
  method: string,
  environment?: string,
]
type Result = { readonly facts: Facts } | { readonly why: 'altered' | 'no-key' | 'unsupported' }

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

/**
 * Finds the published key with an id, first in the copy stored on this device. A key that is not there may be new, so
 * we then read the keys from the network.
 */
async function findKey(id: string): Promise<JsonWebKey | undefined> {
  for (const cache of ['default', 'reload'] as const) {
    const { keys } = (await (await fetch(KEYS, { cache })).json()) as { keys: (JsonWebKey & { kid: string })[] }
    const found = keys.find(({ kid }) => kid === id)
    if (found !== undefined) return found
  }
  return undefined
}

async function check(receipt: string): Promise<Result> {
  if (!('crypto' in window) || crypto.subtle === undefined) return { why: 'unsupported' }
  const parts = receipt.split('.')
  const [version, id = '', payload = '', signature = ''] = parts
  if (parts.length !== PARTS || version !== 'r1') return { why: 'altered' }
  let jwk: JsonWebKey | undefined
  try {
    jwk = await findKey(id)
  } catch {
    return { why: 'no-key' } // offline, and the stored keys do not have it
  }
  if (jwk === undefined) return { why: 'altered' }
  try {
    const { kty, crv, x, y } = jwk
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y } as JsonWebKey, ECDSA, false, ['verify'])
    const text = new TextEncoder().encode(`${version}.${id}.${payload}`)
    if (!(await crypto.subtle.verify(ECDSA, key, bytesOf(signature), text))) return { why: 'altered' }
    return { facts: JSON.parse(new TextDecoder().decode(bytesOf(payload))) }
  } catch {
    return { why: 'altered' } // not base64
  }
}

const METHODS: Readonly<Record<string, string>> = {
  ACCOUNT_TRANSFER: 'Bank transfer',
  CARD: 'Card',
  DIRECT_DEBIT: 'Direct debit',
  CASH: 'Cash',
}

const money = (amount: string, currency: string): string =>
  `${currency === 'NGN' ? '₦' : `${currency} `}${amount.replace(/\B(?=(\d{3})+\.)/g, ',')}`

function element(name: string, text = '', kind = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  if (kind !== '') made.className = kind
  return made
}

const result = document.getElementById('result') as HTMLElement
const form = document.querySelector('form') as HTMLFormElement
const show = (kind: string, title: string, ...rest: readonly HTMLElement[]): void => {
  result.className = kind
  result.replaceChildren(element('h2', title), ...rest)
}

const PROBLEMS = {
  altered: [
    'bad',
    'Not genuine',
    `This receipt was altered, or it was not issued by ${location.host}. Do not rely on it.`,
  ],
  'no-key': [
    'unsure',
    'Not checked yet',
    'This device has not stored the key of this receipt. Connect to the internet and try again.',
  ],
  unsupported: ['unsure', 'Not checked', 'This needs a recent browser and an https:// address. Try another browser.'],
} as const

function showFacts(facts: Facts, receipt: string): void {
  const [merchant, amount, currency, paidAt, reference, method, environment] = facts
  const list = element('dl')
  const lines: readonly (readonly [string, string])[] = [
    ['Amount paid', money(amount, currency)],
    ['Paid to', merchant],
    ['Date', moment(paidAt * 1_000)],
    ['Payment method', METHODS[method] ?? method],
    ['Transaction reference', reference],
  ]
  for (const [name, value] of lines) list.append(element('dt', name), element('dd', value))
  const test = environment === 'sandbox' ? [element('p', 'Sandbox: no real money moved.', 'note')] : []
  const later = element('p', `Signed by ${location.host} when the receipt was made. It does not show later refunds.`)
  const button = element('button', 'Check current status') as HTMLButtonElement
  const status = element('p')
  status.setAttribute('role', 'status')
  button.addEventListener('click', async () => {
    button.disabled = true
    status.textContent = await currentStatus(receipt)
    button.disabled = false
  })
  show('good', 'Genuine receipt', ...test, list, later, button, status)
}

/** The payment's refunds and lost disputes, according to the gateway. */
async function currentStatus(receipt: string): Promise<string> {
  try {
    const response = await fetch(STATUS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ receipt }),
    })
    if (!response.ok) return 'We could not check the status. Try again in a moment.'
    const { responseBody: now } = await response.json()
    const text = (amount: number): string => money(amount.toFixed(2), now.currencyCode)
    const since = [
      now.amountRefunded > 0 ? `${text(now.amountRefunded)} was refunded.` : '',
      now.amountReversed > 0 ? `${text(now.amountReversed)} was returned after a dispute.` : '',
    ].join(' ')
    return `${moment(now.now)}: ${text(now.amountPaid)} paid. ${since.trim() || 'Nothing was refunded.'}`
  } catch {
    return 'You are offline. Connect to the internet to check the current status.'
  }
}

let latest = ''
async function checkHash(): Promise<void> {
  const receipt = location.hash.slice(1)
  latest = receipt
  form.hidden = receipt !== ''
  if (receipt === '') return result.replaceChildren()
  show('unsure', 'Checking …')
  const found = await check(receipt)
  if (latest !== receipt) return
  if ('facts' in found) return showFacts(found.facts, receipt)
  const [kind, title, text] = PROBLEMS[found.why]
  show(kind, title, element('p', text))
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const link = (form.elements.namedItem('link') as HTMLInputElement).value.trim()
  location.hash = link.slice(link.indexOf('#') + 1)
})
addEventListener('hashchange', () => void checkHash())
void checkHash()

interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (input: string) => string }
}
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
const worker =
  trustedTypes?.createPolicy('receipt', { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER
// Without a service worker, the page works online only.
navigator.serviceWorker?.register(worker, { scope: '/receipt' }).catch(() => {})
