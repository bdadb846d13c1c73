import type { OperatorPermission, PersonPermission, Scope } from '@kobo/contract'
import { secondsAfter } from '../../kernel/clock.ts'
import { randomCode } from '../../kernel/ids.ts'
import type { Environment } from '../../platform/config/config.ts'
import { equalSecrets, sha256 } from '../../platform/crypto.ts'
import { type AddressSet, addressSet } from '../../platform/http/ip-addresses.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

const SECRET_LENGTH = 32
const HINT_LENGTH = 4
/** How a restricted secret key starts in each environment. */
const PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'RK_TEST_', live: 'RK_PROD_' }
/** The last use of a key is recorded at most this often. */
const USED_SECONDS = 60

const restrictedKeys = table('restricted_key', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  name: column<string>(),
  scopes: column<readonly Scope[]>(),
  ipWhitelist: column<readonly string[] | null>(),
  secretHash: column<string>(),
  /** The prefix and the last characters of the secret key, to recognize it. */
  hint: column<string>(),
  /** The team member who created it and so knows it. */
  madeBy: column<bigint>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
  expiresAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
})
export type RestrictedKeyRow = Row<typeof restrictedKeys>

/** A restricted key as a request needs it. */
export interface RestrictedKey extends Pick<RestrictedKeyRow, 'id' | 'name' | 'secretHash' | 'expiresAt'> {
  /** The addresses it may be used from. */
  readonly isWhitelisted: AddressSet
  /** Whether it has a scope. */
  readonly may: (permission: PersonPermission | OperatorPermission) => boolean
}

/** Reads the keys that are not revoked, newest first. */
export const selectRestrictedKeys = (db: Db | Tx, merchantId: bigint): Promise<RestrictedKeyRow[]> =>
  db<RestrictedKeyRow[]>`
    select ${restrictedKeys.columns} from restricted_key
     where merchant_id = ${merchantId} and revoked_at is null order by id desc`

export const restrictedKeyOf = ({
  id,
  name,
  secretHash,
  expiresAt,
  ipWhitelist,
  scopes,
}: RestrictedKeyRow): RestrictedKey => {
  const held: ReadonlySet<string> = new Set(scopes)
  return {
    id,
    name,
    secretHash,
    expiresAt,
    isWhitelisted: ipWhitelist === null ? () => true : addressSet(ipWhitelist),
    may: (permission) => held.has(permission),
  }
}

/** Whether a key has not expired. */
export const isCurrent = ({ expiresAt }: Pick<RestrictedKey, 'expiresAt'>, at: Date): boolean =>
  expiresAt === null || expiresAt > at

/** Returns the stored form of a secret key. The key is long and random, so a plain hash is safe. */
const hashOf = (secretKey: string): string => sha256(secretKey).toString('base64url')

/** Finds the restricted key with this secret key, if it is valid. */
export function findBySecret(
  keys: ReadonlyMap<bigint, RestrictedKey>,
  secretKey: string,
  at: Date,
): RestrictedKey | undefined {
  if (!Object.values(PREFIXES).some((prefix) => secretKey.startsWith(prefix))) return undefined
  const hash = hashOf(secretKey)
  let found: RestrictedKey | undefined
  for (const key of keys.values()) if (equalSecrets(key.secretHash, hash) && isCurrent(key, at)) found = key
  return found
}

type NewKey = Pick<RestrictedKeyRow, 'merchantId' | 'name' | 'scopes' | 'ipWhitelist' | 'madeBy' | 'expiresAt'>

/** Adds a key; returns it with its secret key, which cannot be read again. */
export function addRestrictedKey(
  { tx, ids, at }: UnitOfWork,
  environment: Environment,
  requested: NewKey,
): { readonly row: RestrictedKeyRow; readonly secretKey: string } {
  const secretKey = `${PREFIXES[environment]}${randomCode(SECRET_LENGTH)}`
  const row = {
    ...requested,
    id: ids.id(),
    secretHash: hashOf(secretKey),
    hint: `${PREFIXES[environment]}…${secretKey.slice(-HINT_LENGTH)}`,
    createdAt: at,
    lastUsedAt: null,
    revokedAt: null,
  }
  restrictedKeys.insert(tx, [row])
  return { row, secretKey }
}

/** Revokes a key and returns it; undefined if it does not exist or is already revoked. */
export async function revokeRestrictedKey(
  { tx, at }: UnitOfWork,
  merchantId: bigint,
  id: bigint,
): Promise<RestrictedKeyRow | undefined> {
  const [row] = await tx<RestrictedKeyRow[]>`
    update restricted_key set revoked_at = ${at}
     where merchant_id = ${merchantId} and id = ${id} and revoked_at is null
    returning ${restrictedKeys.columns}`
  return row
}

/** Records a login with a key. */
export async function markKeyUsed(db: Db, merchantId: bigint, id: bigint, at: Date): Promise<void> {
  await db`
    update restricted_key set last_used_at = ${at}
     where merchant_id = ${merchantId} and id = ${id}
       and (last_used_at is null or last_used_at < ${secondsAfter(at, -USED_SECONDS)})`
}
