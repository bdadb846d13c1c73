import { acts, type JournalOwner, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { HOUSE } from '../../kernel/house.ts'
import { chargeChecks } from './charges.ts'
import { type DecisionRow, decisions } from './decision-repository.ts'
import { decisionJournal, isPostedResolution, keyOf } from './journals.ts'

/** A decision about a statement is posted once two operators have agreed, and not before. */
export const reconciliationChecks: readonly RowCheck[] = [
  acts<DecisionRow>({
    name: 'decision about a statement',
    rows: { table: 'reconciliation_decision', idFormat: 'standard' },
    read: (tx, ranges) =>
      tx<DecisionRow[]>`
        select ${decisions.of('r')} from ${ranged(ranges)} join reconciliation_decision r on ${within('r', ranges)}`,
    reference: ({ id }) => String(id),
    state: ({ state }) => state,
    consequences: (row) =>
      row.state === 'CARRIED_OUT' && isPostedResolution(row.wanted)
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
  ...chargeChecks,
]
