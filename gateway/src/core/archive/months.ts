import { firstIdAt, firstTransactionIdAt, momentOfId, momentOfTransactionId } from '../../kernel/ids.ts'

/** A month by UTC, as `2026-03`: the folder that has its rows. */
export type Month = string

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export const isMonth = (text: string): boolean => MONTH.test(text)
export const monthOf = (moment: Date): Month => moment.toISOString().slice(0, 7)
const startOf = (month: Month): Date => new Date(`${month}-01T00:00:00.000Z`)

export function monthAfter(month: Month): Month {
  const start = startOf(month)
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)))
}

/** The months from one on that are over at a moment. */
export function monthsBefore(first: Month, moment: Date): readonly Month[] {
  const months: Month[] = []
  for (let month = first; startOf(monthAfter(month)) <= moment; month = monthAfter(month)) months.push(month)
  return months
}

/** A table whose past is written to files, and the column whose ids tell when its rows were made. */
export interface ArchivedTable {
  readonly name: string
  readonly key: 'id' | 'event_id' | 'journal_id'
  /** A transaction's ids are its references; all others are moments. */
  readonly idsAre: 'moments' | 'references'
}

const ofMoments = (name: string, key: ArchivedTable['key'] = 'id'): ArchivedTable => ({ name, key, idsAre: 'moments' })

/** What is written, each table before those whose rows are found by it. */
export const ARCHIVED: readonly ArchivedTable[] = [
  { name: 'transaction', key: 'id', idsAre: 'references' },
  ofMoments('payment'),
  ofMoments('refund'),
  ofMoments('transfer'),
  ofMoments('journal'),
  ofMoments('move', 'journal_id'),
  ofMoments('wallet_entry'),
  ofMoments('event'),
  ofMoments('event_attempt', 'event_id'),
  ofMoments('request_log'),
]

/** The ids of a table's rows of a month: from the first, and below the second. */
export function idsOfMonth({ idsAre }: ArchivedTable, month: Month): readonly [bigint, bigint] {
  const firstAt = idsAre === 'references' ? firstTransactionIdAt : firstIdAt
  return [firstAt(startOf(month)), firstAt(startOf(monthAfter(month)))]
}

export const monthOfRow = ({ idsAre }: ArchivedTable, id: bigint): Month =>
  monthOf(idsAre === 'references' ? momentOfTransactionId(id) : momentOfId(id))
