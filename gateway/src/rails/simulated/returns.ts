import type { Clock } from '../../kernel/clock.ts'
import { compact } from '../../kernel/dates.ts'
import { randomDigits } from '../../kernel/ids.ts'
import type { ReturnRail, SendBackOrder } from '../returns.ts'
import type { TransferOutcome } from '../transfer.ts'
import { queriedEntry, type SimulatedBook, type SimulatedEntry, wasReportedNotFound } from './book.ts'
import { INSTITUTION } from './institution.ts'

const RAIL = 'send-back'
/** The rail name of entries that store which reference returned a credit, so that each is returned only once. */
export const CREDITS_SENT_BACK = 'credit sent back'
export const creditName = ({ bankCode, accountNumber, railReference }: SendBackOrder['credit']): string =>
  `${bankCode}/${accountNumber}/${railReference}`

/**
 * Opens a bank that returns each credit once. Only the sandbox's connector uses it. The sandbox itself returns money by
 * a transfer, so that the payer's account number decides the outcome.
 */
export const simulatedReturns = ({
  clock,
  book,
}: {
  readonly clock: Clock
  readonly book: SimulatedBook
}): ReturnRail => ({
  isOffered: () => false,
  send: async ({ reference, amount, credit }) => {
    const at = clock.now()
    const name = creditName(credit)
    const sessionId = `${INSTITUTION}${compact(at).slice(2)}${randomDigits(12)}`
    const entry = await book.keep(RAIL, reference, { credit: name, amount: String(amount), sessionId }, at)
    if (wasReportedNotFound(entry)) return { kind: 'failed', reason: 'It came too late' }
    const first = await book.keep(CREDITS_SENT_BACK, name, { reference }, at)
    return first.facts['reference'] === reference ? succeeded(entry) : ALREADY_SENT_BACK
  },
  find: async (reference) => {
    const entry = await queriedEntry(book, RAIL, reference, clock.now())
    if (entry === undefined) return { kind: 'not found' }
    const first = await book.read(CREDITS_SENT_BACK, String(entry.facts['credit']))
    return first?.facts['reference'] === reference ? succeeded(entry) : ALREADY_SENT_BACK
  },
})

const ALREADY_SENT_BACK: TransferOutcome = { kind: 'failed', reason: 'This credit was sent back before' }

const succeeded = ({ facts }: SimulatedEntry): TransferOutcome => ({
  kind: 'succeeded',
  sessionId: String(facts['sessionId']),
})
