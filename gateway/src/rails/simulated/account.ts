import { createHash } from 'node:crypto'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { nuban } from '../../kernel/nuban.ts'
import type { AccountOutcome, AccountRail } from '../account.ts'
import { queriedEntry, type SimulatedBook, type SimulatedEntry, wasReportedNotFound } from './book.ts'

const RAIL = 'account'
const NUMBERS = 'account number'
const CLOSED = 'closed account'
const NAMES = 'account name'
const LATER_SECONDS = 60
const TRIES_MAX = 20
const SERIALS = 1_000_000_000n

/** The last word of the account's name decides the outcome of opening it. With other words it is opened at once. */
const IS_REFUSED = /\brefused$/i
const OPENS_LATER = /\bunknown$/i

interface Facts {
  readonly bankCode: string
  readonly accountNumber: string
  readonly accountName: string
  readonly closesAt: string | null
}

/** Opens the sandbox's bank that issues account numbers. It reserves each number for as long as we need it. */
export function simulatedAccounts({
  clock,
  book,
}: {
  readonly clock: Clock
  readonly book: SimulatedBook
}): AccountRail {
  /** Finds a free number. It is always the same for the same reference. */
  async function numberFor(bankCode: string, reference: string, at: Date): Promise<string> {
    for (let tried = 0; tried < TRIES_MAX; tried++) {
      const hash = BigInt(`0x${createHash('sha256').update(`${reference}/${tried}`).digest('hex')}`)
      const accountNumber = nuban(bankCode, (hash % SERIALS).toString().padStart(9, '0'))
      const { facts } = await book.keep(NUMBERS, `${bankCode}/${accountNumber}`, { reference }, at)
      if (facts['reference'] === reference) return accountNumber
    }
    return invariant(false, 'a simulated bank has numbers left') as never
  }

  const change = async (rail: string, reference: string, facts: object) => {
    const at = clock.now()
    const entry = await book.read(RAIL, reference)
    if (entry === undefined || wasReportedNotFound(entry))
      return { kind: 'refused', reason: 'No such account' } as const
    await book.keep(rail, reference, facts, at)
    return { kind: 'done' } as const
  }

  return {
    open: async ({ reference, bankCode, accountName, expiresAt }) => {
      const at = clock.now()
      const accountNumber = await numberFor(bankCode, reference, at)
      const facts = { bankCode, accountNumber, accountName, closesAt: expiresAt?.toISOString() ?? null }
      return outcomeOf(await book.keep(RAIL, reference, facts, at), at)
    },
    find: async ({ reference }) => {
      const at = clock.now()
      const entry = await queriedEntry(book, RAIL, reference, at)
      return entry === undefined ? { kind: 'not found' } : outcomeOf(entry, at)
    },
    close: ({ reference }) => change(CLOSED, reference, {}),
    rename: ({ reference, accountName }) => change(`${NAMES} ${accountName}`, reference, {}),
  }
}

function outcomeOf(entry: SimulatedEntry, now: Date): AccountOutcome {
  if (wasReportedNotFound(entry)) return { kind: 'refused', reason: 'The request came too late' }
  const { bankCode, accountNumber, accountName, closesAt } = entry.facts as unknown as Facts
  if (IS_REFUSED.test(accountName)) return { kind: 'refused', reason: 'The bank opens no such account' }
  if (OPENS_LATER.test(accountName) && now < secondsAfter(entry.at, LATER_SECONDS)) return { kind: 'unknown' }
  return {
    kind: 'opened',
    bankCode,
    accountNumber,
    accountName,
    closesAt: closesAt === null ? null : new Date(closesAt),
  }
}
