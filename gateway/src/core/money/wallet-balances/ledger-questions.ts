import { idsIn } from '../../../kernel/ids.ts'
import type { Kobo } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/db.ts'
import { type Fragment, plain, sql } from '../../../platform/sql.ts'
import { ofMerchants, ofThose } from '../../../platform/table.ts'
import {
  acts,
  FINDINGS_TOLD_MAX,
  type Finding,
  movesOf,
  movesWithin,
  NOTHING,
  type Range,
  type RowQuestion,
  ranged,
} from '../ledger/index.ts'
import { type WalletEntryRow, walletEntries } from './statement.ts'

/** What the lines of a wallet are ordered by: the one place that says so here. */
const LINES_ARE_ORDERED_BY = plain('id')

/** A line, and the balance that the one before it left. */
interface Line extends WalletEntryRow {
  readonly leftBefore: Kobo
}

/**
 * The ids of a line and of its journal are taken one after the other, but not at once: where a range of journals ends
 * between the two, the line is looked at with the journal.
 */
const APART_SECONDS = 60

/** A wallet without lines holds what it was opened with: the sandbox's play money, or nothing. */
const openedWith = (ranges: readonly Range[], merchantId: Fragment, accountNumber: Fragment): Fragment => sql`
  coalesce((select sum(m.amount) from journal j
             cross join ${movesOf('j', ofThose(ranges))} m
             where ${ofMerchants('j', ranges)} and j.merchant_id = ${merchantId} and j.key = 'opening' and m.target = 'wallet/' || ${accountNumber}), 0)::bigint`

/** The lines of the wallets that journals in ranges name. */
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

/** Each line of a wallet continues the one before, and was told. */
const lines = acts<Line>({
  name: 'wallet line',
  rows: { table: 'journal', idsAre: 'moments' },
  read: selectLines,
  reference: ({ reference }) => reference,
  standing: ({ type }) => type,
  consequences: ({ accountNumber, balanceBefore, leftBefore, reference, at }) => ({
    wrong:
      balanceBefore === leftBefore
        ? []
        : [
            `a line of wallet ${accountNumber} begins with ${balanceBefore}, but the line before it ends with ${leftBefore}`,
          ],
    told: [{ eventType: 'ACCOUNT_ACTIVITY', reference, at }],
  }),
})

/** So many wallets are read by one statement. */
const WALLETS_MAX = 10_000

interface Wallet {
  readonly merchantId: bigint
  readonly code: string
  readonly balance: bigint
  readonly remains: bigint
}

/** A page of the accounts of wallets, each with the balance that its last line left. */
const selectWallets = (tx: Tx, ranges: readonly Range[], last: Wallet | undefined): Promise<Wallet[]> =>
  tx<Wallet[]>`
    select a.merchant_id, a.code, a.balance,
           coalesce(e.balance_after, ${openedWith(ranges, sql`a.merchant_id`, sql`substr(a.code, length('wallet/') + 1)`)}) as remains
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

/** The last line of a wallet ends with what is in it. */
const lastLines: RowQuestion = {
  name: 'last wallet lines',
  ask: async (tx, ranges) => {
    const findings: Finding[] = []
    let last: Wallet | undefined
    for (;;) {
      const page = await selectWallets(tx, ranges, last)
      findings.push(...page.flatMap(unlike))
      if (page.length < WALLETS_MAX) return { ...NOTHING, findings: findings.slice(0, FINDINGS_TOLD_MAX) }
      last = page.at(-1)
    }
  },
}

const unlike = ({ merchantId, code, balance, remains }: Wallet): readonly Finding[] =>
  balance === remains
    ? []
    : [
        {
          merchantId,
          reference: code,
          what: `account ${code} holds ${balance}, but its last line ends with ${remains}`,
        },
      ]

/** What must hold of the statements of wallets. */
export const walletQuestions: readonly RowQuestion[] = [lines, lastLines]
