import {
  acts,
  BALANCES,
  FINDINGS_SHOWN_MAX,
  type Finding,
  type JournalKey,
  type JournalOwner,
  type LedgerCheck,
  movesOf,
  ownedBy,
  ranged,
  type StateCheck,
  within,
} from '../../core/money/ledger/index.ts'
import { isOrderOpen, ofOrder, type WithOrder, withOrder } from '../../core/orders/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { ofMerchants, scopeOf } from '../../platform/postgres/table.ts'
import { payoutJournal, settlementJournal } from './journals.ts'
import { type PayoutRow, payouts, type SettlementRow, selectPayoutsByKey, settlements } from './repository.ts'
import { bearersOf } from './withholding.ts'

/** A settlement and the sums of its transactions. */
interface Settlement extends SettlementRow {
  readonly settled: Kobo
  readonly count: number
  /** The shares of sub accounts by code, in kobo. */
  readonly subAccounts: Readonly<Record<string, string>> | null
  /** Whether one of its payouts may still be returned. */
  readonly isWatched: boolean
}

const settlementCheck = acts<Settlement>({
  name: 'settlement',
  rows: { table: 'settlement', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Settlement[]>`
      select ${settlements.of('r')}, i.settled, i.count, s.sub_accounts,
             exists (select from settlement_payout p
                       join rail_order o on ${ofMerchants('o', ranges)} and o.merchant_id = p.merchant_id and o.id = p.id and o.state <> 'CONCLUDED'
                      where ${ofMerchants('p', ranges)} and p.merchant_id = r.merchant_id and p.settlement_id = r.id) as is_watched
        from ${ranged(ranges)}
        join settlement r on ${within('r', ranges)}
       cross join lateral (
         select coalesce(sum(share - fee), 0)::bigint as settled, count(*)::integer as count
           from settlement_item i where ${ofMerchants('i', ranges)} and i.merchant_id = r.merchant_id and i.settlement_id = r.id) i
       cross join lateral (
         select json_object_agg(code, income) as sub_accounts
           from (select s."subAccountCode" as code, sum(s.share - s.fee)::text as income
                   from settlement_item i
                   join payment p on ${ofMerchants('p', ranges)} and p.merchant_id = i.merchant_id and p.transaction_id = i.transaction_id
                  cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
                  where ${ofMerchants('i', ranges)} and i.merchant_id = r.merchant_id and i.settlement_id = r.id and p.splits is not null
                  group by s."subAccountCode") parts) s`,
  reference: ({ settlementReference }) => settlementReference,
  state: ({ status }) => status,
  consequences: (settlement) => {
    const { amount, debtRepaid, reserved, transactionsCount, settled, count, subAccounts, status, completedAt } =
      settlement
    const reference = settlement.settlementReference
    const incomes = Object.entries(subAccounts ?? {}).map(([code, income]) => [code, kobo(BigInt(income))] as const)
    const withholdings = bearersOf({ debtRepaid, reserved }, { merchant: settled, subAccounts: new Map(incomes) })
    const { merchant } = withholdings
    const explained = amount + merchant.debtRepaid + merchant.reserved
    return {
      wrong:
        explained === settled && transactionsCount === count
          ? []
          : [`settlement ${reference} has ${explained}, but its ${count} transactions sum to ${settled}`],
      booked: [settlementJournal(settlement, withholdings)],
      events:
        status === 'COMPLETED' ? [{ eventType: 'SETTLEMENT', reference, at: completedAt ?? settlement.settledAt }] : [],
    }
  },
  mayChange: ({ status, isWatched }) => status === 'PENDING' || isWatched,
  owned: [ownedBy('settlement/', 'settlement', 'settlement_reference')],
})

/** A payout and the posted sum of all its attempts, less returns. */
type Payout = PayoutRow &
  WithOrder & { readonly orderReference: string; readonly paidOut: Kobo; readonly isDecided: boolean }

const payoutCheck = acts<Payout>({
  name: 'payout',
  rows: { table: 'settlement_payout', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Payout[]>`
      select ${payouts.of('r')}, ${ofOrder}, o.reference as order_reference, b.paid_out, b.is_decided
        from ${ranged(ranges)}
        join settlement_payout r on ${within('r', ranges)}
        ${withOrder(ranges)}
       cross join lateral (
         select coalesce(sum(case when j.key like '%/reversed' then -m.amount else m.amount end), 0)::bigint as paid_out,
                coalesce(bool_or(j.key = 'payout/' || o.reference || '/decided'), false) as is_decided
           from generate_series(1, o.tries + 1) try
          cross join lateral (select 'payout/KFST' || r.id || case when try = 1 then '' else '~' || try end as key) first
          cross join lateral (values (first.key), (first.key || '/reversed'), (first.key || '/decided')) one (key)
           join journal j on ${ofMerchants('j', ranges)} and j.merchant_id = r.merchant_id and j.key = one.key
          cross join ${movesOf('j', scopeOf(ranges))} m) b`,
  reference: ({ id }) => `KFST${id}`,
  state: ({ status }) => status,
  consequences: (payout) => {
    const { status, amount, paidOut, orderReference: reference, orderPartner: partner, isDecided } = payout
    const due = status === 'COMPLETED' ? amount : 0n
    const isWaiting = status === 'DUE' && !isOrderOpen(payout)
    return {
      booked: status === 'COMPLETED' ? [payoutJournal(payout, { reference, partner, isDecided })] : [],
      wrong: [
        due === paidOut ? [] : `payout of ${amount} is ${status}, but its journals pay out ${paidOut}`,
        isWaiting ? 'payout is due, but its order is concluded' : [],
      ].flat(),
    }
  },
  mayChange: (payout) => payout.status === 'DUE' || isOrderOpen(payout),
  owned: [{ prefix: 'payout/', find: findPayouts }],
})

const PAYOUT = /^payout\/KFST(\d{1,18})(~\d+)?(\/reversed|\/decided)?$/

/** Finds the payouts of journals by the id in each payout's reference. */
async function findPayouts(tx: Tx, journals: readonly JournalKey[]): Promise<readonly JournalOwner[]> {
  const named = journals.flatMap(({ merchantId, key }) => {
    const id = PAYOUT.exec(key)?.[1]
    return id === undefined ? [] : { merchantId, key, id: BigInt(id) }
  })
  const rows = new Set((await selectPayoutsByKey(tx, named)).map(({ merchantId, id }) => `${merchantId} ${id}`))
  return named.filter(({ merchantId, id }) => rows.has(`${merchantId} ${id}`))
}

/** Checks that the payable balance equals the unsettled collections. */
const payablesMatchUnsettled: StateCheck = async (tx, whose) => {
  const rows = await tx<{ merchantId: bigint; code: string; balance: string; owed: string }[]>`
    -- unsettled collections have an index by due time
    with unsettled as materialized (
      select merchant_id, id, amount_paid - fee as income from transaction t where settles_at is not null and ${whose('t')}
    ), split as materialized (
      select p.merchant_id, 'payable/' || s."subAccountCode" as code, s.share - s.fee as income
        from payment p
        join unsettled t on t.merchant_id = p.merchant_id and t.id = p.transaction_id
       cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
       where p.splits is not null and ${whose('p')}
    ), owed as (
      select merchant_id, code, sum(income) as owed
        from (select merchant_id, 'payable' as code, income from unsettled
              union all
              select merchant_id, 'payable', -income from split
              union all
              select merchant_id, code, income from split) parts
       group by merchant_id, code
    )
    select merchant_id, code, coalesce(balance, 0)::text as balance, coalesce(owed, 0)::text as owed
      from (select merchant_id, code, balance from ${BALANCES} a
             where (code = 'payable' or code like 'payable/%') and ${whose('a')}) a
      full join owed using (merchant_id, code)
     where coalesce(balance, 0) <> coalesce(owed, 0)
     limit ${FINDINGS_SHOWN_MAX}`
  return rows.map(
    ({ code, merchantId, balance, owed }): Finding => ({
      merchantId,
      reference: code,
      what: `account ${code} holds ${balance}, but unsettled collections sum to ${owed}`,
    }),
  )
}

/** No database transaction lasts longer than this, so a settlement sees every debt that is at least this old. */
const DEBT_SEEN_AFTER_SECONDS = 60

/** Checks that debts were repaid first: while a debt was open, no settlement paid a sub account. */
const debtsBeforeSubAccounts: StateCheck = async (tx, whose) => {
  const rows = await tx<{ merchantId: bigint; reference: string; paid: string; owed: string }[]>`
    with owing as (
      select merchant_id, min(since) as since, sum(amount - repaid) as owed
        from merchant_debt d
       where repaid < amount and ${whose('d')}
       group by merchant_id)
    select s.merchant_id, s.settlement_reference as reference, sum(p.amount)::text as paid, min(o.owed)::text as owed
      from owing o
      join settlement s on s.merchant_id = o.merchant_id
                       and s.settled_at > o.since + make_interval(secs => ${DEBT_SEEN_AFTER_SECONDS})
      join settlement_payout p on p.merchant_id = s.merchant_id and p.settlement_id = s.id
     where p.beneficiary_type = 'SUB_ACCOUNT' and ${whose('s')} and ${whose('p')}
     group by s.merchant_id, s.id, s.settlement_reference
     limit ${FINDINGS_SHOWN_MAX}`
  return rows.map(
    ({ merchantId, reference, paid, owed }): Finding => ({
      merchantId,
      reference,
      what: `settlement paid ${paid} to sub accounts, but the merchant still owes ${owed} from before it`,
    }),
  )
}

export const settlementChecks: readonly LedgerCheck[] = [
  settlementCheck,
  payoutCheck,
  payablesMatchUnsettled,
  debtsBeforeSubAccounts,
]
