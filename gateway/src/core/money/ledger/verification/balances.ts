import type { Tx } from '../../../../platform/postgres/db.ts'
import { isHolding, mayBeBelowZero } from '../accounts.ts'
import { type AccountRow, selectAccounts } from '../ledger-checks.ts'
import type { Finding, Held } from './check.ts'
import type { Checkpoint } from './checkpoint.ts'

/** At most this many accounts per query. */
const ACCOUNTS_MAX = 10_000

interface Balances {
  readonly findings: readonly Finding[]
  readonly accounts: number
  readonly imbalance: bigint
}

/**
 * Finds wrong balances of merchants. A balance must be the sum of the account's moves. Money in flight or suspense must
 * belong to an open order or credit. Only accounts that may be overdrawn may be negative.
 */
export async function findWrongBalances(
  tx: Tx,
  merchants: readonly Checkpoint[],
  held: readonly Held[],
): Promise<Balances> {
  const moved = new Map(
    merchants.flatMap(({ merchantId, sums }) => [...sums].map(([code, sum]) => [textOf({ merchantId, code }), sum])),
  )
  const holding = new Map<string, bigint>()
  for (const { merchantId, account: code, amount } of held)
    holding.set(textOf({ merchantId, code }), (holding.get(textOf({ merchantId, code })) ?? 0n) + amount)

  const findings: Finding[] = []
  let [accounts, imbalance] = [0, 0n]
  for await (const row of allAccounts(
    tx,
    merchants.map(({ merchantId }) => merchantId),
  )) {
    const text = textOf(row)
    findings.push(...problemsOf(row, moved.get(text) ?? 0n, holding.get(text) ?? 0n))
    moved.delete(text)
    holding.delete(text)
    accounts++
    imbalance += row.balance
  }
  // The remaining sums belong to accounts that do not exist.
  for (const [text, sum] of moved) findings.push(...problemsOf({ ...keyOf(text), balance: 0n }, sum, 0n))
  for (const [text, sum] of holding) findings.push(...problemsOf({ ...keyOf(text), balance: 0n }, 0n, sum))
  return { findings, accounts, imbalance }
}

function problemsOf({ merchantId, code, balance }: AccountRow, moved: bigint, held: bigint): readonly Finding[] {
  const problems = [
    balance === moved ? [] : `account ${code} holds ${balance}, its moves sum to ${moved}`,
    balance >= 0n || mayBeBelowZero(code) ? [] : `account ${code} is below zero: ${balance}`,
    !isHolding(code) || balance === held ? [] : `account ${code} holds ${balance}, pending orders hold ${held}`,
  ].flat()
  return problems.map((what) => ({ merchantId, reference: code, what }))
}

async function* allAccounts(tx: Tx, merchants: readonly bigint[]): AsyncGenerator<AccountRow> {
  let last: AccountRow | undefined
  for (;;) {
    const page = await selectAccounts(tx, merchants, last, ACCOUNTS_MAX)
    yield* page
    if (page.length < ACCOUNTS_MAX) return
    last = page.at(-1)
  }
}

const textOf = ({ merchantId, code }: Pick<AccountRow, 'merchantId' | 'code'>): string => `${merchantId} ${code}`
const keyOf = (text: string): Pick<AccountRow, 'merchantId' | 'code'> => {
  const space = text.indexOf(' ')
  return { merchantId: BigInt(text.slice(0, space)), code: text.slice(space + 1) }
}
