import { userInfo } from 'node:os'
import { keyedHash } from '../../platform/crypto.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Keyring } from './keyring.ts'

/** The merchant id in records of acts that concern no merchant. */
export const NO_MERCHANT = 0n

/**
 * The actor: a merchant's server, a user by id, the command line, or the program itself, while serving a request or in
 * the background.
 */
export type Actor = 'api' | `person/${bigint}` | 'command line' | 'gateway' | 'worker'

/** Returns the user's id if the actor is a user, else null. */
export const personOf = (actor: Actor): bigint | null =>
  actor.startsWith('person/') ? BigInt(actor.slice('person/'.length)) : null

/** An act on a merchant's data and its actor. Contains no secrets. */
export interface AuditRecord {
  readonly merchantId: bigint
  /** The name of the act, for example `settings.change`. */
  readonly act: string
  readonly actor: Actor
  /**
   * The API key, the user's email address, a name from `unknownName`, or the operating system's user on the command
   * line.
   */
  readonly name?: string | undefined
  /** The IP address of the actor, if the act came over the network. */
  readonly address?: string | undefined
  readonly reference?: string | undefined
  readonly details?: object
}

export const audits = table('audit', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  act: column<string>(),
  actor: column<string>(),
  name: column<string | null>(),
  address: column<string | null>(),
  reference: column<string | null>(),
  details: column<object>(),
  at: column<Date>(),
})
export type AuditRow = Row<typeof audits>

export const auditList = listing(audits, { idFormat: 'standard', method: 'act' })

const HASH_SHOWN = 22

/**
 * Returns a name for an unknown caller: a keyed hash of the name that it sent, as that may be a secret in the wrong
 * field. The same input always gets the same name.
 */
export const unknownName = ({ derive }: Pick<Keyring, 'derive'>, presented: string): string =>
  `unknown ${keyedHash(derive('unknown callers'), presented).slice(0, HASH_SHOWN)}`

/** Audits acts in the caller's transaction. */
export function audit(
  { tx, ids, at }: Pick<UnitOfWork, 'tx' | 'ids' | 'at'>,
  ...records: readonly AuditRecord[]
): void {
  const rows = records.map(({ merchantId, act, actor, name, address = null, reference = null, details = {} }) => ({
    merchantId,
    id: ids.id(),
    act,
    actor,
    name: name ?? (actor === 'command line' ? nameOfOperator() : null),
    address,
    reference,
    details,
    at,
  }))
  audits.insert(tx, rows)
}

/** Returns the name of the operating system's user, or the user's number if there is no name. */
function nameOfOperator(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
