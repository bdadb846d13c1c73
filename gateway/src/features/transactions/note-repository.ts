import { idList, type TransactionCustomerData } from '../../core/erasure/index.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { TransactionKey } from './repository.ts'

/** Internal notes of team members on transactions. */
const notes = table('transaction_note', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  transactionId: column<bigint>(),
  /** The email address of the user who wrote it. */
  author: column<string>(),
  text: column<string>(),
  createdAt: column<Date>(),
})
export type NoteRow = Row<typeof notes>

const NOTES_SHOWN_MAX = 100

export const insertNote = (tx: Tx, row: NoteRow): void => notes.insert(tx, [row])

/** Returns the newest notes on a transaction, newest first. */
export const selectNotes = (db: Db, { merchantId, id }: TransactionKey): Promise<NoteRow[]> =>
  db<NoteRow[]>`
    select ${notes.columns} from transaction_note
     where merchant_id = ${merchantId} and transaction_id = ${id}
     order by id desc
     limit ${NOTES_SHOWN_MAX}`

/** Notes may name the customer. */
export const noteCustomerData: TransactionCustomerData = {
  name: 'notes',
  findOpen: async () => [],
  erase: async ({ tx }, { merchantId, pseudonym: { text } }, transactionIds) => {
    void tx`
      update transaction_note
         set text = ${text}
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[])`
  },
}
