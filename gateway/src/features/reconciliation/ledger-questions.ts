import { acts, HOUSE, type JournalOwner, type RowQuestion, ranged, within } from '../../core/money/ledger/index.ts'
import { type DecisionRow, decisions } from './decision-repository.ts'
import { decisionJournal, isBooked, keyOf } from './journals.ts'

/** What was decided about a bank's statement is booked, once two have said so, and not before. */
export const reconciliationQuestions: readonly RowQuestion[] = [
  acts<DecisionRow>({
    name: 'decision about a statement',
    rows: { table: 'reconciliation_decision', idsAre: 'moments' },
    read: (tx, ranges) =>
      tx<DecisionRow[]>`
        select ${decisions.of('r')} from ${ranged(ranges)} join reconciliation_decision r on ${within('r', ranges)}`,
    reference: ({ id }) => String(id),
    standing: ({ state }) => state,
    consequences: (row) =>
      row.state === 'CARRIED_OUT' && isBooked(row.wanted)
        ? { booked: [decisionJournal(row)] }
        : { unbooked: [keyOf(row)] },
    mayChange: ({ state }) => state === 'PROPOSED',
    owned: [
      {
        prefix: 'reconciliation/',
        find: (tx, journals) =>
          tx<JournalOwner[]>`
            select merchant_id, 'reconciliation/' || id as key, id from reconciliation_decision
             where merchant_id = ${HOUSE}
               and id = any(${journals.flatMap(({ key }) => /^reconciliation\/(\d{1,18})$/.exec(key)?.[1] ?? [])}::bigint[])`,
      },
    ],
  }),
]
