import { type Hidden, hidden } from '../../kernel/hidden.ts'
import { randomCode } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { Keyring } from '../security/keyring.ts'
import { sealedColumn } from '../security/sealed-column.ts'

const SECRET_LENGTH = 32

/** Webhook endpoints in addition to the URLs in merchants' settings. */
export const additionalEndpoints = table('additional_endpoint', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  url: column<string>(),
  description: column<string>(),
  /** The types of events that it receives; null for all. */
  eventTypes: column<readonly string[] | null>(),
  /** The secret that signs events; null once the endpoint is removed. */
  secret: column<Buffer | null>(),
  /** The replaced secret, which also signs until its time ends. */
  previousSecret: column<Buffer | null>(),
  previousSecretUntil: column<Date | null>(),
  createdAt: column<Date>(),
  pausedAt: column<Date | null>(),
  givenUpInARow: column<number>(),
  /** When the last event was delivered; recorded at most once a minute. */
  lastDeliveredAt: column<Date | null>(),
  /** Whether it may have deliveries outside the queue. */
  resumes: column<boolean>(),
  removedAt: column<Date | null>(),
})
export type AdditionalEndpointRow = Row<typeof additionalEndpoints>

/** A secret that signs events until it expires. */
export interface SigningSecret {
  readonly key: Hidden<string>
  readonly expiresAt: Date | null
}

const secretContext = ({ merchantId, id }: Pick<AdditionalEndpointRow, 'merchantId' | 'id'>): string =>
  `endpoint-secret/${merchantId}/${id}`

export const sealedEndpointSecrets = [
  sealedColumn('records', additionalEndpoints, 'secret', secretContext),
  sealedColumn('records', additionalEndpoints, 'previousSecret', secretContext),
]

/** Creates a secret for an endpoint. Returns it in plain text and encrypted. */
export function newEndpointSecret(
  { seal }: Pick<Keyring, 'seal'>,
  endpoint: Pick<AdditionalEndpointRow, 'merchantId' | 'id'>,
): { readonly secretKey: string; readonly secret: Buffer } {
  const secretKey = randomCode(SECRET_LENGTH)
  return { secretKey, secret: seal(secretKey, secretContext(endpoint)) }
}

/** Decrypts the secrets of an endpoint. */
export function endpointSecrets(keyring: Pick<Keyring, 'open'>, row: AdditionalEndpointRow): readonly SigningSecret[] {
  const stored = [
    { sealed: row.secret, expiresAt: null },
    { sealed: row.previousSecret, expiresAt: row.previousSecretUntil },
  ]
  return stored.flatMap(({ sealed, expiresAt }) =>
    sealed === null ? [] : [{ key: hidden(keyring.open(sealed, secretContext(row))), expiresAt }],
  )
}

/** Reads a merchant's additional endpoints, oldest first. Removed endpoints are left out. */
export const selectAdditionalEndpoints = (db: Db | Tx, merchantId: bigint): Promise<AdditionalEndpointRow[]> =>
  db<AdditionalEndpointRow[]>`
    select ${additionalEndpoints.columns} from additional_endpoint
     where merchant_id = ${merchantId} and removed_at is null order by id`

export const insertAdditionalEndpoint = (tx: Tx, row: AdditionalEndpointRow): void =>
  additionalEndpoints.insert(tx, [row])

/** Locks an endpoint until the transaction ends. */
export async function lockAdditionalEndpoint(
  tx: Tx,
  merchantId: bigint,
  id: bigint,
): Promise<AdditionalEndpointRow | undefined> {
  const [row] = await additionalEndpoints.lock(tx, [{ merchantId, id }])
  return row?.removedAt === null ? row : undefined
}

/** Changes an endpoint's given fields. */
export function updateAdditionalEndpoint(
  tx: Tx,
  { merchantId, id }: Pick<AdditionalEndpointRow, 'merchantId' | 'id'>,
  change: Partial<AdditionalEndpointRow>,
): void {
  void additionalEndpoints.change(tx, sql`merchant_id = ${merchantId} and id = ${id}`, change)
}
