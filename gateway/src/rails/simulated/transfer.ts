import type { Clock } from '../../kernel/clock.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { compact } from '../../kernel/dates.ts'
import { randomDigits } from '../../kernel/ids.ts'
import type { FoundTransfer, TransferOrder, TransferOutcome, TransferRail } from '../transfer.ts'
import { queriedEntry, type SimulatedBook, type SimulatedEntry, wasReportedNotFound } from './book.ts'
import { INSTITUTION } from './institution.ts'
import { fullName, personOf } from './people.ts'

const RAIL = 'transfer'
/** No bank has an account with this number. */
const MISSING_ACCOUNT = '0000000000'
const LATER_SECONDS = 60
const REVERSED_AFTER_SECONDS = 300

/** The last three digits of the account number decide the outcome of a transfer. With other digits it succeeds. */
export const ENDINGS: Readonly<Record<string, (sent: Sent) => SentOutcome>> = {
  '001': () => ({ kind: 'failed', reason: 'Invalid account' }),
  '002': (sent) => (isLater(sent, LATER_SECONDS) ? succeeded(sent) : { kind: 'unknown' }),
  '003': (sent) =>
    isLater(sent, REVERSED_AFTER_SECONDS)
      ? { kind: 'reversed', sessionId: sent.sessionId }
      : { ...succeeded(sent), finalAt: secondsAfter(sent.at, REVERSED_AFTER_SECONDS) },
  '004': () => ({ kind: 'failed', reason: 'Account is dormant' }),
  '005': (sent) =>
    isLater(sent, LATER_SECONDS) ? { kind: 'failed', reason: 'The bank did not answer' } : { kind: 'unknown' },
}
export const SILENT_ENDING = '006'

/** The outcomes of a sent transfer. */
type SentOutcome = Exclude<FoundTransfer, { readonly kind: 'not found' }>

/** The simulated bank's record of a transfer. */
interface Sent {
  readonly accountNumber: string
  readonly sessionId: string
  readonly at: Date
  readonly now: Date
}

const succeeded = ({ sessionId }: Sent): { kind: 'succeeded'; sessionId: string } => ({ kind: 'succeeded', sessionId })

const isLater = ({ at, now }: Sent, seconds: number): boolean => now >= secondsAfter(at, seconds)

const ending = (accountNumber: string): string => accountNumber.slice(-3)

/**
 * Opens the sandbox's banks. Every account but one exists, has a fictional name, and behaves as its last digits say.
 */
export function simulatedTransfers({
  clock,
  book,
}: {
  readonly clock: Clock
  readonly book: SimulatedBook
}): TransferRail {
  return {
    nameEnquiry: async ({ accountNumber }) => {
      if (ending(accountNumber) === SILENT_ENDING) return { kind: 'unavailable' }
      if (accountNumber === MISSING_ACCOUNT) return { kind: 'not found' }
      return { kind: 'found', accountName: fullName(personOf(accountNumber)).toUpperCase() }
    },

    send: async ({ reference, amount, destination }: TransferOrder) => {
      const at = clock.now()
      const sessionId = `${INSTITUTION}${compact(at).slice(2)}${randomDigits(12)}`
      const facts = { ...destination, amount: String(amount), sessionId }
      const entry = await book.keep(RAIL, reference, facts, at)
      if (wasReportedNotFound(entry)) return TOO_LATE
      const outcome = outcomeOf(entry, at)
      // A reversed transfer had succeeded: a repeated send returns that success, and a query returns the reversal.
      return outcome.kind === 'reversed' ? { kind: 'succeeded', sessionId: outcome.sessionId, finalAt: at } : outcome
    },

    find: async (reference) => {
      const at = clock.now()
      const entry = await queriedEntry(book, RAIL, reference, at)
      return entry === undefined ? { kind: 'not found' } : outcomeOf(entry, at)
    },
  }
}

const TOO_LATE: TransferOutcome = { kind: 'failed', reason: 'The transfer came too late' }

/** Returns the current outcome of a transfer. */
function outcomeOf({ facts, at }: SimulatedEntry, now: Date): SentOutcome {
  const { accountNumber, sessionId } = facts as { readonly accountNumber: string; readonly sessionId: string }
  const sent = { accountNumber, sessionId, at, now }
  return ENDINGS[ending(accountNumber)]?.(sent) ?? succeeded(sent)
}
