import { type OffsetClock, offsetClock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { OPERATIONS } from '@kobo/gateway/rails/protocol/index.ts'
import { CREDITS_SENT_BACK, creditName, simulatedRails } from '@kobo/gateway/rails/simulated/index.ts'
import type { Connector, ConnectorKind, ConnectorTools } from '../../connector.ts'
import { type Faults, openFaults } from '../../faults.ts'
import type { Notifier } from '../../notifier.ts'
import { OPERATION_HANDLERS } from '../../operations.ts'
import { type MemoryBook, memoryBook } from './book.ts'
import { sandboxControls } from './controls.ts'
import { AMOUNT_MAX, SANDBOX_MANIFEST, sandboxManifest, UNREACHED_BANK } from './manifest.ts'

/** The seconds after which an unknown outcome becomes known. */
const LATER_SECONDS = 60
/** How often the orders with an unknown outcome are checked. */
const CHECK_MILLISECONDS = 1_000
/** The maximum number of orders whose outcome we notify. The gateway finds out about the others by its queries. */
const WATCHED_MAX = 10_000

/** The name of the rail under which the simulated partners store the effect of each operation. */
const RAIL_OF: Readonly<Record<string, string>> = {
  'account/send-back': 'send-back',
  'account/find-send-back': 'send-back',
  'account/open': 'account',
  'account/find': 'account',
  'transfer/send': 'transfer',
  'transfer/find': 'transfer',
  'card/charge': 'card',
  'card/find': 'card',
  'card/refund': 'card refund',
  'card/find-refund': 'card refund',
  'debit/debit': 'debit',
  'debit/find': 'debit',
  'biller/vend': 'biller',
  'biller/find-vend': 'biller',
}

const SAME_SESSION_ID = '0'.repeat(30)

interface Request {
  readonly reference: string
  readonly amount?: number
  readonly credit?: Parameters<typeof creditName>[0]
  readonly destination?: { readonly bankCode: string }
}
interface Outcome {
  readonly kind: string
  readonly sessionId?: string
  readonly finalAt?: Date
}

interface Deps extends Pick<ConnectorTools, 'wall' | 'notifier'> {
  readonly code?: string
  readonly options?: URLSearchParams
}

/** The sandbox's connector: simulated partners with their own clock and memory, and faults on demand. */
export function sandboxConnector({
  code = 'sandbox',
  options = new URLSearchParams(),
  wall,
  notifier,
}: Deps): Connector {
  const banks = wordsOf(options, 'banks')
  const isReached = (bankCode: string): boolean => bankCode !== UNREACHED_BANK && (banks?.includes(bankCode) ?? true)
  const clock = offsetClock(wall)
  const book = memoryBook(options.get('book') ?? undefined)
  const faults = openFaults()
  const rails = simulatedRails({ clock, book })
  const watch = openWatch(clock, notifier)
  const checking = setInterval(watch.notifyDue, CHECK_MILLISECONDS).unref()

  async function carryOut(operation: string, request: Request): Promise<object> {
    const applies = (fault: Parameters<Faults['applies']>[0]): boolean => {
      const does = faults.applies(fault, operation)
      if (does) book.logFault(fault, request.reference)
      return does
    }
    const carry = OPERATION_HANDLERS[operation]
    const rail = RAIL_OF[operation]
    if (carry === undefined || rail === undefined) return (await carry?.(rails, request as never)) ?? {}
    const isSend = OPERATIONS[operation]?.foundBy !== undefined
    const bankCode = request.destination?.bankCode
    if (isSend && bankCode !== undefined && !isReached(bankCode))
      return { kind: 'not sent', reason: `${code} does not reach bank ${bankCode}` }
    if (operation === 'transfer/send' && (request.amount ?? 0) > AMOUNT_MAX && !applies('limitless'))
      return { kind: 'not sent', reason: `${code} sends at most ${AMOUNT_MAX} kobo` }
    if (isSend && applies('not sent')) return { kind: 'not sent', reason: `${code} accepts no orders` }
    if (isSend && applies('twice')) book.forget(rail, request.reference)
    if (request.credit !== undefined && applies('returns again'))
      book.forget(CREDITS_SENT_BACK, creditName(request.credit))
    const requested = isSend && applies('wrong amount') ? { ...request, amount: (request.amount ?? 0) + 1 } : request
    const response = (await carry(rails, requested as never)) as Outcome
    if (isSend) watch.add(request.reference, response)
    if (isSend && applies('forgetful')) book.forget(rail, request.reference)
    if (response.kind === 'not found' && applies('broken promise')) book.forget(rail, request.reference)
    if (isSend && applies('out of order')) await notifier.notify('outcomes', { reference: request.reference })
    if (response.kind === 'unknown' && applies('hasty no'))
      return { kind: 'failed', reason: 'The bank did not respond' }
    const named =
      response.sessionId !== undefined && applies('same names') ? { ...response, sessionId: SAME_SESSION_ID } : response
    return named.kind === 'succeeded' ? { ...named, ...(await amountOf(book, rail, request.reference)) } : named
  }

  return {
    manifest: sandboxManifest(code, wordsOf(options, 'capabilities')),
    carryOut,
    controls: sandboxControls({ clock, book, faults, notifier, notifyDue: watch.notifyDue }),
    faults,
    close: () => clearInterval(checking),
  }
}

/** The words of an option such as `banks=035+058`; undefined if absent. */
const wordsOf = (options: URLSearchParams, name: string): readonly string[] | undefined =>
  options.get(name)?.split(/[ +]/).filter(Boolean)

const OPTIONS = ['banks', 'book', 'capabilities']

export const sandboxKind: ConnectorKind = {
  whyNot: (options) => {
    const unknown = [...options.keys()].find((name) => !OPTIONS.includes(name))
    if (unknown !== undefined) return `there is no option ${unknown}`
    const bank = wordsOf(options, 'banks')?.find((code) => !/^\d{3,6}$/.test(code))
    if (bank !== undefined) return `${bank} is not a bank code`
    const word = wordsOf(options, 'capabilities')?.find((one) => !SANDBOX_MANIFEST.capabilities.includes(one))
    return word === undefined ? undefined : `${word} is not a capability`
  },
  open: sandboxConnector,
}

/** Returns the amount that the simulated bank has stored for a reference. */
async function amountOf(book: MemoryBook, rail: string, reference: string): Promise<{ amount?: number }> {
  const amount = (await book.read(rail, reference))?.facts['amount']
  return typeof amount === 'string' ? { amount: Number(amount) } : {}
}

/** Notifies the gateway when an unknown outcome becomes known. */
function openWatch(clock: OffsetClock, notifier: Notifier) {
  const watched = new Map<string, Date>()
  return {
    add: (reference: string, { finalAt }: Outcome): void => {
      if (watched.size < WATCHED_MAX) watched.set(reference, finalAt ?? secondsAfter(clock.now(), LATER_SECONDS))
    },
    notifyDue: async (): Promise<number> => {
      const now = clock.now()
      const due = [...watched].flatMap(([reference, at]) => (at <= now ? reference : []))
      for (const reference of due) watched.delete(reference)
      await Promise.all(due.map((reference) => notifier.notify('outcomes', { reference })))
      return due.length
    },
  }
}
