import type { Db, Tx } from '../../platform/postgres/db.ts'
import { names } from '../../platform/postgres/sql.ts'
import type { Keyring } from '../security/keyring.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Customer } from './customer.ts'

/** A row about a customer. */
export interface CustomerRecord {
  readonly id: bigint
  /** References that events may contain. */
  readonly refs: readonly string[]
  /** Whether the row is open and still needs the customer's data. */
  readonly isOpen: boolean
}

/** A range of a merchant's rows: ids above `after`, up to `upTo`. */
export interface Slice {
  readonly after: bigint
  readonly upTo: bigint
}

/** A feature's customer data, and how to erase it. */
export interface CustomerData {
  /** The kind of data as operators see it, such as `payments`. */
  readonly name: string
  readonly table: string
  readonly find: (db: Db, customer: Customer, slice: Slice) => Promise<readonly CustomerRecord[]>
  /** Replaces the customer with the pseudonym. References, amounts, states and times stay. */
  readonly erase: (unit: UnitOfWork, customer: Customer, ids: readonly bigint[], keyring: Keyring) => Promise<void>
}

/** A feature's customer data that belongs to transactions. */
export interface TransactionCustomerData {
  readonly name: string
  readonly findOpen: (db: Db | Tx, merchantId: bigint, transactionIds: readonly bigint[]) => Promise<readonly string[]>
  /** Erases the customer from closed items only, because an open item still needs its destination. */
  readonly erase: (unit: UnitOfWork, customer: Customer, transactionIds: readonly bigint[]) => Promise<void>
}

/** Rows scanned per query. Few tables have an index on customers, so all rows are scanned. */
const ROWS_PER_SLICE = 20_000

/** Splits a merchant's rows of a table into slices of the primary key, so that no query runs long. */
export async function* slicesOf(db: Db, table: string, merchantId: bigint): AsyncGenerator<Slice> {
  for (let after = 0n; ; ) {
    const [end] = await db<{ upTo: bigint | null }[]>`
      select max(id) as up_to
        from (select id from ${names(table)} where merchant_id = ${merchantId} and id > ${after}
               order by id limit ${ROWS_PER_SLICE}) slice`
    const upTo = end?.upTo ?? null
    if (upTo === null) return
    yield { after, upTo }
    after = upTo
  }
}

/** Converts ids to query parameters. */
export const idList = (ids: readonly bigint[]): readonly string[] => ids.map(String)
