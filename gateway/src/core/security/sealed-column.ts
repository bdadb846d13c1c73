import type { Table } from '../../platform/postgres/table.ts'
import type { SealingPurpose } from './data-keys.ts'

/** An encrypted column, declared by the table's owner so that it can be re-encrypted. */
export interface SealedColumn {
  readonly purpose: SealingPurpose
  /** The table and the column, for example `transfer.sender_bvn`. */
  readonly place: string
  // Untyped rows, because `sealedColumn` has checked the types.
  readonly table: Table<Record<string, unknown>, string>
  readonly column: string
  /** The encryption context of a row's value. */
  readonly context: (row: never) => string
}

/** Declares an encrypted column: bytes, or text in base64. */
export const sealedColumn = <R extends object, K extends string>(
  purpose: SealingPurpose,
  table: Table<R, K>,
  column: keyof R & string,
  context: (row: R) => string,
): SealedColumn => ({
  purpose,
  place: `${table.label}.${column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
  table: table as unknown as Table<Record<string, unknown>, string>,
  column,
  context: context as (row: never) => string,
})
