import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { compact } from '../../kernel/dates.ts'
import type { DebitOutcome, DebitRail } from '../debit.ts'
import { queriedEntry, type SimulatedBook, type SimulatedEntry, wasReportedNotFound } from './book.ts'
import { INSTITUTION } from './institution.ts'

const RAIL = 'debit'

/** The last digits of the customer's account number decide the outcome of a debit. With other digits it succeeds. */
const DECLINES = /001$/
const PAYS_LATER = /002$/
const IS_DORMANT = /004$/
const LATER_MILLISECONDS = 60_000

const INSUFFICIENT: DebitOutcome = { kind: 'declined', reason: 'Insufficient funds', isStopped: false }
const DORMANT: DebitOutcome = { kind: 'declined', reason: 'The account is dormant', isStopped: true }
const REFUSED: DebitOutcome = { kind: 'declined', reason: 'The bank refused the debit', isStopped: false }

/** Opens the sandbox's banks for debits. */
export function simulatedDebit({ clock, book }: { readonly clock: Clock; readonly book: SimulatedBook }): DebitRail {
  return {
    debit: async ({ reference, accountNumber }) => {
      const at = clock.now()
      return outcomeOf(await book.keep(RAIL, reference, { accountNumber }, at), reference, at)
    },
    findDebit: async (reference) => {
      const at = clock.now()
      const entry = await queriedEntry(book, RAIL, reference, at)
      return entry === undefined ? { kind: 'not found' } : outcomeOf(entry, reference, at)
    },
  }
}

function outcomeOf(entry: SimulatedEntry, reference: string, now: Date): DebitOutcome {
  if (wasReportedNotFound(entry)) return REFUSED
  const { accountNumber } = entry.facts as { readonly accountNumber: string }
  const { at } = entry
  if (DECLINES.test(accountNumber)) return INSUFFICIENT
  if (IS_DORMANT.test(accountNumber)) return DORMANT
  if (PAYS_LATER.test(accountNumber) && now.getTime() - at.getTime() < LATER_MILLISECONDS) return { kind: 'unknown' }
  return { kind: 'paid', sessionId: sessionIdOf(reference, at) }
}

/** Returns the session id, which is always the same for the same debit. */
function sessionIdOf(reference: string, sentAt: Date): string {
  const hash = BigInt(`0x${createHash('sha256').update(reference).digest('hex')}`)
  return `${INSTITUTION}${compact(sentAt).slice(2)}${hash.toString().slice(-12)}`
}
