import type * as contract from '@kobo/contract'
import { type Input, MONEY_OUT_SCOPES, RESTRICTED_KEYS_MAX, type Reply, type Scope } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import {
  addRestrictedKey,
  isCurrent,
  lockMerchant,
  type Merchant,
  type RestrictedKeyRow,
  revokeRestrictedKey,
  selectRestrictedKeys,
} from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit } from '../../core/security/audit.ts'
import { type SignedIn, selectTeam } from '../../core/sessions/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Environment } from '../../platform/config/config.ts'
import { keyErrors } from './errors.ts'

export interface KeyDeps {
  readonly core: Core
  readonly environment: Environment
}

const DAY_SECONDS = 86_400

const movesMoney = (scopes: readonly Scope[]): boolean => MONEY_OUT_SCOPES.some((scope) => scopes.includes(scope))

type ShownKey = Reply<typeof contract.getKeys>['restrictedKeys'][number]

const show = (row: RestrictedKeyRow, environment: KeyDeps['environment'], createdBy: string): ShownKey => ({
  id: String(row.id),
  name: row.name,
  environment,
  hint: row.hint,
  scopes: [...row.scopes],
  ipWhitelist: row.ipWhitelist === null ? null : [...row.ipWhitelist],
  createdBy,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

/** Reads the merchant's valid restricted keys, newest first. */
export async function listRestricted({ core, environment }: KeyDeps, { id }: Merchant): Promise<ShownKey[]> {
  const at = core.clock.now()
  const [rows, team] = await Promise.all([selectRestrictedKeys(core.db, id), selectTeam(core.db, id)])
  const names = new Map(team.map(({ personId, name }) => [personId, name]))
  return rows
    .filter((row) => isCurrent(row, at))
    .map((row) => show(row, environment, names.get(row.madeBy) ?? 'a former team member'))
}

/** Creates a key with some of its creator's rights, and notifies the merchant. */
export async function createRestricted(
  { core, environment }: KeyDeps,
  { id: merchantId }: Merchant,
  { personId, name: createdBy, may }: SignedIn,
  requested: Input<typeof contract.createRestrictedKey>['body'],
  by: By,
): Promise<Reply<typeof contract.createRestrictedKey>> {
  const scopes = [...new Set(requested.scopes)]
  const lacking = scopes.find((scope) => !may(scope))
  if (lacking !== undefined) throw keyErrors.scopeTooHigh(lacking)
  const { name, ipWhitelist = null, expiresInDays } = requested
  return core.directory.change(merchantId, async (unit) => {
    await lockMerchant(unit.tx, merchantId) // so that two concurrent requests do not exceed the maximum
    const current = (await selectRestrictedKeys(unit.tx, merchantId)).filter((row) => isCurrent(row, unit.at))
    if (current.length >= RESTRICTED_KEYS_MAX) throw keyErrors.tooManyKeys(String(current.length))
    const expiresAt = expiresInDays == null ? null : secondsAfter(unit.at, expiresInDays * DAY_SECONDS)
    const key = { merchantId, name, scopes, ipWhitelist, madeBy: personId, expiresAt }
    const { row, secretKey } = addRestrictedKey(unit, environment, key)
    const details = { name, hint: row.hint, scopes, ipWhitelist, expiresAt }
    audit(unit, { ...by, merchantId, act: 'key.create', reference: `key/${row.id}`, details })
    notify(unit, [
      {
        merchantId,
        subject: 'A restricted API key was created for your account',
        text: [
          `${by.name} created the key ${row.hint} (${name}). It ${movesMoney(scopes) ? 'can' : 'cannot'} move money.`,
          'If this was not one of your team, revoke it in the dashboard and contact us at once.',
        ].join('\n'),
        page: '/dashboard/keys',
      },
    ])
    return { secretKey, key: show(row, environment, createdBy) }
  })
}

/** Revokes a key: it and its tokens stop working at once. */
export const revokeRestricted = (
  { core }: Pick<KeyDeps, 'core'>,
  { id: merchantId }: Pick<Merchant, 'id'>,
  id: bigint,
  by: Pick<By, 'actor'> & Partial<By>,
): Promise<RestrictedKeyRow> =>
  core.directory.change(merchantId, async (unit) => {
    const row = await revokeRestrictedKey(unit, merchantId, id)
    if (row === undefined) throw keyErrors.unknownKey()
    const details = { name: row.name, hint: row.hint }
    audit(unit, { ...by, merchantId, act: 'key.revoke', reference: `key/${id}`, details })
    return row
  })
