import { idsIn } from '../../../kernel/ids.ts'
import type { Kobo } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, plain, sql } from '../../../platform/postgres/sql.ts'
import { ofMerchants, scopeOf } from '../../../platform/postgres/table.ts'
import {
  acts,
  FINDINGS_SHOWN_MAX,
  type Finding,
  movesOf,
  movesWithin,
  NOTHING,
  type Range,
  type RowCheck,
  ranged,
} from '../ledger/index.ts'
import { type WalletEntryRow, walletEntries } from './statement.ts'

/** The order of a wallet's entries. */
const LINES_ARE_ORDERED_BY = plain('id')

/** An entry, and the balance after the previous one. */
interface Line extends WalletEntryRow {
  readonly leftBefore: Kobo
}

/**
 * Ids contain the time, and those of an entry and its journal are close but not equal. A check of a range of ids also
 * reads the entries shortly before it, so that an entry is checked with its journal.
 */
const APART_SECONDS = 60

/** The opening balance of a wallet: the sandbox's test money, or zero. */
const openedWith = (ranges: readonly Range[], merchantId: Fragment, accountNumber: Fragment): Fragment => sql`
  coalesce((select sum(m.amount) from journal j
             cross join ${movesOf('j', scopeOf(ranges))} m
             where ${ofMerchants('j', ranges)} and j.merchant_id = ${merchantId} and j.key = 'opening' and m.target = 'wallet/' || ${accountNumber}), 0)::bigint`

/** Reads the entries of each wallet that was changed by a journal in the ranges. */
async function selectLines(tx: Tx, ranges: readonly Range[]): Promise<readonly Line[]> {
  const rows = await tx<Line[]>`
    with touched as (
      select distinct k.merchant_id, k.after, k.up_to, substr(side.code, length('wallet/') + 1) as account_number
        from ${ranged(ranges)}
       cross join ${movesWithin(ranges)} m
       cross join lateral (values (m.source), (m.target)) side (code)
       where side.code like 'wallet/%')
    select ${walletEntries.of('e')},
           coalesce(b.balance_after, ${openedWith(ranges, sql`e.merchant_id`, sql`e.account_number`)}) as left_before
      from touched k
      join wallet_entry e on ${ofMerchants('e', ranges)} and e.merchant_id = k.merchant_id and e.account_number = k.account_number
       and e.id > k.after - ${idsIn(APART_SECONDS)} and e.id <= k.up_to
      left join lateral (
        select b.balance_after from wallet_entry b
         where ${ofMerchants('b', ranges)} and b.merchant_id = e.merchant_id and b.account_number = e.account_number
           and b.${LINES_ARE_ORDERED_BY} < e.${LINES_ARE_ORDERED_BY}
         order by b.${LINES_ARE_ORDERED_BY} desc
         limit 1) b on true`
  return [...new Map(rows.map((row) => [`${row.merchantId} ${row.accountNumber} ${row.id}`, row])).values()]
}

/** Each entry continues from the balance of the previous one and has its event. */
const lines = acts<Line>({
  name: 'wallet line',
  rows: { table: 'journal', idFormat: 'standard' },
  read: selectLines,
  reference: ({ reference }) => reference,
  state: ({ type }) => type,
  consequences: ({ accountNumber, balanceBefore, leftBefore, reference, at }) => ({
    wrong:
      balanceBefore === leftBefore
        ? []
        : [
            `a line of wallet ${accountNumber} begins with ${balanceBefore}, but the line before it ends with ${leftBefore}`,
          ],
    events: [{ eventType: 'ACCOUNT_ACTIVITY', reference, at }],
  }),
})

/** Wallets per query. */
const WALLETS_MAX = 10_000

interface Wallet {
  readonly merchantId: bigint
  readonly code: string
  readonly balance: bigint
  readonly lastBalance: bigint
}

/** A page of wallet accounts, each with the balance after its last entry. */
const selectWallets = (tx: Tx, ranges: readonly Range[], last: Wallet | undefined): Promise<Wallet[]> =>
  tx<Wallet[]>`
    select a.merchant_id, a.code, a.balance,
           coalesce(e.balance_after, ${openedWith(ranges, sql`a.merchant_id`, sql`substr(a.code, length('wallet/') + 1)`)}) as last_balance
      from account a
      left join lateral (
        select e.balance_after from wallet_entry e
         where ${ofMerchants('e', ranges)} and e.merchant_id = a.merchant_id and e.account_number = substr(a.code, length('wallet/') + 1)
         order by e.${LINES_ARE_ORDERED_BY} desc
         limit 1) e on true
     where a.merchant_id = any(${ranges.map(({ merchantId }) => String(merchantId))}::bigint[])
       and a.code >= 'wallet/' and a.code < 'wallet0'
       and ${last === undefined ? sql`true` : sql`(a.merchant_id, a.code) > (${last.merchantId}, ${last.code})`}
     order by a.merchant_id, a.code
     limit ${WALLETS_MAX}`

/** The balance after a wallet's last entry equals the wallet's balance. */
const lastLines: RowCheck = {
  name: 'last wallet lines',
  run: async (tx, ranges) => {
    const findings: Finding[] = []
    let last: Wallet | undefined
    for (;;) {
      const page = await selectWallets(tx, ranges, last)
      findings.push(...page.flatMap(findMismatch))
      if (page.length < WALLETS_MAX) return { ...NOTHING, findings: findings.slice(0, FINDINGS_SHOWN_MAX) }
      last = page.at(-1)
    }
  },
}

const findMismatch = ({ merchantId, code, balance, lastBalance }: Wallet): readonly Finding[] =>
  balance === lastBalance
    ? []
    : [
        {
          merchantId,
          reference: code,
          what: `account ${code} holds ${balance}, but its last line ends with ${lastBalance}`,
        },
      ]

export const walletChecks: readonly RowCheck[] = [lines, lastLines]
