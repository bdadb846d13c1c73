import type { Table } from '../../platform/table.ts'
import type { SealingPurpose } from './data-keys.ts'

/** A column whose values are encrypted, as whoever owns the table declares it: so that they can be encrypted anew. */
export interface SealedColumn {
  readonly purpose: SealingPurpose
  /** As `transfer.sender_bvn`. */
  readonly place: string
  // Rows of any table: what is read of them is checked where the column is declared.
  readonly table: Table<Record<string, unknown>, string>
  readonly column: string
  /** The place of a row's value, with which it was sealed. */
  readonly context: (row: never) => string
}

/** Declares an encrypted column: bytes, or text where it holds them in base64. */
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
