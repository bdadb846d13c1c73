import type { Db } from '../../platform/db.ts'
import { names } from '../../platform/sql.ts'
import type { Keyring } from '../security/keyring.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Person } from './person.ts'

/** A row about a person. */
export interface Trace {
  readonly id: bigint
  /** By which events may tell of it. */
  readonly refs: readonly string[]
  /** Whether something is still to happen to it, for which the person must be known. */
  readonly isOpen: boolean
}

/** Rows of one merchant by their ids: after the one, up to the other. */
export interface Slice {
  readonly after: bigint
  readonly upTo: bigint
}

/** What a feature knows of people, by who they are, and how it forgets them. */
export interface Traces {
  /** As `payments`: for an operator. */
  readonly name: string
  readonly table: string
  readonly find: (db: Db, person: Person, slice: Slice) => Promise<readonly Trace[]>
  /** Puts the pseudonym in the person's place. References, amounts, states and moments stay. */
  readonly erase: (unit: UnitOfWork, person: Person, ids: readonly bigint[], keyring: Keyring) => Promise<void>
}

/** What a feature knows of people through their transactions. */
export interface TracesOfTransactions {
  readonly name: string
  /** What is still to happen, by reference. */
  readonly findOpen: (db: Db, merchantId: bigint, transactionIds: readonly bigint[]) => Promise<readonly string[]>
  readonly erase: (unit: UnitOfWork, person: Person, transactionIds: readonly bigint[]) => Promise<void>
}

/** Every feature's traces. */
export interface AllTraces {
  readonly ofPeople: readonly Traces[]
  /** These come with the rows of `transaction`. */
  readonly ofTransactions: readonly TracesOfTransactions[]
}

/** Rows that are looked at with one statement, since few tables have an index by who somebody is. */
const LOOKED_AT_ONCE_MAX = 20_000

/** A merchant's rows of a table, piece by piece: by the primary key, so that none is long under way. */
export async function* slicesOf(db: Db, table: string, merchantId: bigint): AsyncGenerator<Slice> {
  for (let after = 0n; ; ) {
    const [end] = await db<{ upTo: bigint | null }[]>`
      select max(id) as up_to
        from (select id from ${names(table)} where merchant_id = ${merchantId} and id > ${after}
               order by id limit ${LOOKED_AT_ONCE_MAX}) looked`
    const upTo = end?.upTo ?? null
    if (upTo === null) return
    yield { after, upTo }
    after = upTo
  }
}

/** Ids as a statement takes them. */
export const idList = (ids: readonly bigint[]): readonly string[] => ids.map(String)
