import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { FeeStep } from './fee.ts'
import { type Price, type PriceStep, type Service, storedStep } from './price.ts'

const prices = table('price', ['id'], {
  id: column<bigint>(),
  merchantId: column<bigint | null>(),
  contractCode: column<string | null>(),
  service: column<Service>(),
  steps: column<readonly FeeStep[] | null>(),
  validFrom: column<Date>(),
  madeAt: column<Date>(),
  madeBy: column<string>(),
})

export const insertPrice = (tx: Tx, price: Price): void =>
  prices.insert(tx, [{ ...price, steps: price.steps?.map(storedStep) ?? null }])

const amountOf = (stored: number | null): Kobo | null => (stored === null ? null : kobo(BigInt(stored)))

const stepOf = ({ upTo, basisPoints, flat, cap }: FeeStep): PriceStep => ({
  upTo: amountOf(upTo),
  basisPoints,
  flat: kobo(BigInt(flat)),
  cap: amountOf(cap),
})

/** Reads the prices of a merchant and its contracts that are in effect at a time or later, newest first. */
export const selectOwnPrices = (db: Db | Tx, merchantId: bigint, at: Date): Promise<readonly Price[]> =>
  selectPrices(db, sql`p.merchant_id = ${merchantId}`, at)

/** Reads the standard prices that are in effect at a time or later, newest first. */
export const selectStandardPrices = (db: Db | Tx, at: Date): Promise<readonly Price[]> =>
  selectPrices(db, sql`p.merchant_id is null`, at)

async function selectPrices(db: Db | Tx, whose: Fragment, at: Date): Promise<readonly Price[]> {
  const rows = await db<Row<typeof prices>[]>`
    select ${prices.of('p')}
      from price p
     where ${whose}
       and not exists (
         select from price later
          where later.merchant_id is not distinct from p.merchant_id
            and later.contract_code is not distinct from p.contract_code
            and later.service = p.service and later.valid_from <= ${at}
            and (later.valid_from, later.id) > (p.valid_from, p.id))
     order by p.valid_from desc, p.id desc`
  return rows.map((row) => ({ ...row, steps: row.steps?.map(stepOf) ?? null }))
}
