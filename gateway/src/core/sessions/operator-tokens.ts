import { secondsAfter } from '../../kernel/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { column, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { emailKeyOf } from './repository.ts'
import { hashOfToken, newToken } from './sessions.ts'

/** A token is meant for one task, so it lasts only for a working day. */
const TOKEN_SECONDS = 12 * 3_600

const tokens = table('operator_token', ['personId'], {
  personId: column<bigint>(),
  tokenHash: column<string>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
})

/** Creates an operator's token for the command line. It replaces the previous token. Only its hash is stored. */
export async function createOperatorToken(
  { tx }: UnitOfWork,
  personId: bigint,
  at: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const { token, hash } = newToken()
  const expiresAt = secondsAfter(at, TOKEN_SECONDS)
  await tx`delete from operator_token where person_id = ${personId}`
  tokens.insert(tx, [{ personId, tokenHash: hash, createdAt: at, expiresAt }])
  return { token, expiresAt }
}

/** Finds the operator with this email address and token; undefined if the token is wrong or has expired. */
export async function findOperatorByToken(
  db: Db,
  email: string,
  token: string,
  at: Date,
): Promise<{ readonly id: bigint; readonly email: string } | undefined> {
  const [found] = await db<{ readonly id: bigint; readonly email: string }[]>`
    select p.id, p.email
      from operator_token t
      join person p on p.id = t.person_id
     where p.email_key = ${emailKeyOf(email)} and p.operator_role = 'operator'
       and t.token_hash = ${hashOfToken(token)} and t.expires_at > ${at}`
  return found
}
