import * as contract from '@kobo/contract'
import { median } from './benchmark.ts'
import type { DashboardOptions, Reader } from './reader.ts'

type Figures = Record<string, string>
type Item = Readonly<Record<string, unknown>>
interface Page {
  readonly items?: readonly Item[]
  readonly searchedBackTo?: string | null
  readonly found?: readonly Item[]
}

const DAY_MILLISECONDS = 86_400_000
/** The number of typed letters after which the search box shows suggestions. */
const SUGGESTED_LENGTH = 4
const UNKNOWN_ADDRESS = 'nobody-has-this@example.com'

/**
 * Times the reads of a running gateway's dashboard over several rounds: the first, the median and the worst, in
 * milliseconds.
 */
export async function measureDashboard(options: DashboardOptions): Promise<Figures> {
  const reader = await signIn(options.link)
  const figures: Figures = {}
  for (const [what, path] of await pathsOf(reader)) {
    options.progress(what)
    const times: number[] = []
    let page: Page = {}
    for (let round = 0; round < options.rounds; round++) {
      const started = performance.now()
      page = await read(reader, path)
      times.push(performance.now() - started)
    }
    const shown = [times[0] ?? 0, median(times), Math.max(...times)].map((time) => time.toFixed(0))
    figures[what] = `${shown.join(' / ')}${describe(page)}`
  }
  return figures
}

const describe = ({ items, found, searchedBackTo }: Page): string => {
  const count = (items ?? found)?.length
  const rows = count === undefined ? '' : `, ${count} found`
  return searchedBackTo == null ? rows : `${rows}, searched back to ${searchedBackTo.slice(0, 16)}`
}

async function signIn(link: string): Promise<Reader> {
  const { origin, hash } = new URL(link)
  const { url, ...request } = contract.requestOf({ baseUrl: origin }, contract.takeLink, {
    body: { token: hash.slice(1) },
  })
  const headers = { ...request.headers, origin, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(url, { ...request, headers })
  if (!response.ok) throw new Error(`the link does not sign in: ${await response.text()}`)
  const cookie = response.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  return { baseUrl: origin, cookie: cookie.join('; ') }
}

async function read({ baseUrl, cookie }: Reader, path: string): Promise<Page> {
  const response = await fetch(baseUrl + path, { headers: { cookie } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${text}`)
  return JSON.parse(text).responseBody
}

const at = (path: string, query: Readonly<Record<string, string>>): string => `${path}?${new URLSearchParams(query)}`

async function newestOf(reader: Reader, path: string): Promise<Item> {
  return (await read(reader, path)).items?.[0] ?? {}
}

/** Returns the path of each read by its name: every list, filtered lists, search, charts, detail pages. */
async function pathsOf(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>([['home', contract.getHome.path]])
  const newest = await newestOf(reader, contract.browseTransactions.path)
  const end = Date.parse(String(newest['createdOn'] ?? 0))
  const ago = (days: number): string => new Date(end - days * DAY_MILLISECONDS).toISOString()
  paths.set('totals of 90 days', at(contract.getTotals.path, { from: ago(90) }))
  for (const [name, { path }] of Object.entries(contract.LISTS)) paths.set(`list of ${name}`, path)
  const transactions = contract.browseTransactions.path
  const narrowed = {
    '60 days back': { to: ago(60) },
    'of one day': { from: ago(31), to: ago(30) },
    'with a rare status': { status: 'PARTIALLY_PAID' },
    'that failed': { status: 'FAILED' },
    'by card of an amount': { method: 'CARD', amountFrom: '123456', amountTo: '123457' },
    'of an unknown customer': { customer: UNKNOWN_ADDRESS },
    'of a customer': { customer: String(newest['customerEmail']) },
  }
  for (const [what, query] of Object.entries(narrowed)) paths.set(`transactions ${what}`, at(transactions, query))
  paths.set('statement 60 days back', at(contract.browseStatement.path, { to: ago(60) }))
  paths.set('balances of a month', at(contract.getStatementBalances.path, { from: ago(60), to: ago(30) }))
  paths.set('events that were given up', at(contract.browseEvents.path, { status: 'GIVEN_UP' }))
  paths.set('rejected requests', at(contract.browseRequests.path, { outcome: 'REFUSED' }))
  const transfers = await newestOf(reader, contract.browseTransfers.path)
  const name = newest['customerName']
  const texts = {
    'a name': name,
    'an amount': newest['amount'],
    'the digits of a card': await cardDigits(reader),
    'our reference': newest['transactionReference'],
    'your reference': newest['paymentReference'],
    'an email address': newest['customerEmail'],
    'an unknown address': UNKNOWN_ADDRESS,
    'a session id': transfers['sessionId'],
    'an account number': transfers['destinationAccountNumber'],
    'a reference that nothing has': 'there-is-no-such-reference',
  }
  for (const [what, text] of Object.entries(texts))
    if (text != null) paths.set(`search by ${what}`, at(contract.search.path, { text: String(text) }))
  for (const [what, text] of Object.entries({
    'part of a name': name,
    'part of a reference': newest['paymentReference'],
  }))
    if (typeof text === 'string')
      paths.set(
        `suggestions for ${what}`,
        at(contract.search.path, { text: text.slice(0, SUGGESTED_LENGTH), size: '8' }),
      )
  for (const [what, path] of await pagesOfOne(reader, newest)) paths.set(what, path)
  return paths
}

/** Returns the last digits of the card of the newest card payment; undefined if there is none. */
async function cardDigits(reader: Reader): Promise<string | undefined> {
  const paid = await newestOf(reader, at(contract.browseTransactions.path, { method: 'CARD', status: 'PAID' }))
  if (paid['transactionReference'] === undefined) return undefined
  const { attempts } = (await read(reader, timelineOf(paid))) as { readonly attempts?: readonly Item[] }
  return attempts?.map(({ card }) => String(card).slice(-4)).at(-1)
}

const timelineOf = ({ transactionReference }: Item): string =>
  contract.getTransactionTimeline.path.replace(
    ':transactionReference',
    encodeURIComponent(String(transactionReference)),
  )

/** Returns the reads of detail pages. Pages that read only a row of a list are left out, except one. */
async function pagesOfOne(reader: Reader, newest: Item): Promise<ReadonlyMap<string, string>> {
  const customer = encodeURIComponent(String(newest['customerEmail']))
  const paths = new Map([
    ['timeline of a transaction', timelineOf(newest)],
    ['page of a customer', contract.getCustomer.path.replace(':customerEmail', customer)],
  ])
  const transfer = await newestOf(reader, contract.browseTransfers.path)
  if (transfer['id'] !== undefined)
    paths.set(
      'one transfer',
      at(contract.browseTransfers.path, { before: String(BigInt(String(transfer['id'])) + 1n), size: '1' }),
    )
  const ofApi = (path: string): string => path.replace('/api/', '/dashboard/api/')
  const settlement = await newestOf(reader, contract.browseSettlements.path)
  if (settlement['settlementReference'] !== undefined)
    paths.set(
      'transactions of a settlement',
      at(ofApi(contract.findSettledTransactions.path), {
        reference: String(settlement['settlementReference']),
        size: '100',
      }),
    )
  for (const [what, list, one] of [
    ['one event, with every attempt', contract.browseEvents, contract.getMerchantEvent],
    ['one request', contract.browseRequests, contract.getMerchantRequest],
  ] as const) {
    const { id } = await newestOf(reader, list.path)
    if (id !== undefined) paths.set(what, ofApi(one.path).replace(':id', String(id)))
  }
  return paths
}
