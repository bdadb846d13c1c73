import { type Db, inOneQuery } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, table } from '../../platform/postgres/table.ts'

/** The partners that have used version 2 of the protocol. */
const protocols = table('partner_protocol', ['partner'], {
  partner: column<string>(),
  version: column<number>(),
  firstSeen: column<Date>(),
})

const SECOND = 2

/** Remembers for all nodes that a partner uses version 2. */
export const rememberSecondVersion = (db: Db, partner: string, at: Date): Promise<number> =>
  inOneQuery(db, (tx) => protocols.insertNew(tx, [{ partner, version: SECOND, firstSeen: at }], sql`(partner)`))

/** Whether a partner has used version 2, on any node. */
export const hasSecondVersion = async (db: Db, partner: string): Promise<boolean> =>
  (await protocols.find(db, { partner })) !== undefined
