import type * as contract from '@kobo/contract'
import { type Input, type Reply, WEBHOOK_ENDPOINTS_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import {
  type AdditionalEndpointRow,
  insertAdditionalEndpoint,
  lockAdditionalEndpoint,
  lockMerchant,
  newEndpointSecret,
  selectAdditionalEndpoints,
  updateAdditionalEndpoint,
} from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { checkWebhookUrl, type Rules } from '../settings/index.ts'
import { endpointErrors } from './errors.ts'
import { readEndpoint } from './show.ts'

export interface EndpointDeps {
  readonly core: Core
  readonly rules: Rules
}

type Key = Pick<AdditionalEndpointRow, 'merchantId' | 'id'>
type Shown = Reply<typeof contract.changeWebhookEndpoint>

/** Lists a merchant's additional endpoints with their health, oldest first. */
export async function listEndpoints({ core }: EndpointDeps, merchantId: bigint): Promise<Shown[]> {
  const rows = await selectAdditionalEndpoints(core.db, merchantId)
  return Promise.all(rows.map((row) => readEndpoint(core, row)))
}

/** Adds an endpoint; returns it with its secret key, which is not shown again. */
export async function createEndpoint(
  { core, rules }: EndpointDeps,
  merchantId: bigint,
  { url, description, eventTypes }: Input<typeof contract.createWebhookEndpoint>['body'],
  by: By,
): Promise<Reply<typeof contract.createWebhookEndpoint>> {
  checkWebhookUrl('url', url, rules)
  const { row, secretKey } = await core.directory.change(merchantId, async (unit) => {
    await lockMerchant(unit.tx, merchantId) // so that two concurrent requests do not exceed the maximum
    const { length } = await selectAdditionalEndpoints(unit.tx, merchantId)
    if (length >= WEBHOOK_ENDPOINTS_MAX) throw endpointErrors.tooManyEndpoints(String(length))
    const key = { merchantId, id: unit.ids.id() }
    const { secretKey, secret } = newEndpointSecret(core.keyring, key)
    const row: AdditionalEndpointRow = {
      ...key,
      ...{ url, description: description ?? '', eventTypes: eventTypes ?? null },
      ...{ secret, previousSecret: null, previousSecretUntil: null, createdAt: unit.at },
      ...{ pausedAt: null, givenUpInARow: 0, lastDeliveredAt: null, resumes: false, removedAt: null },
    }
    insertAdditionalEndpoint(unit.tx, row)
    record(unit, row, 'webhook-endpoint.create', by, { after: settingsOf(row) })
    return { row, secretKey }
  })
  return { secretKey, endpoint: await readEndpoint(core, row) }
}

/** Changes, pauses or resumes an endpoint. Fields that are left out stay unchanged. */
export async function changeEndpoint(
  { core, rules }: EndpointDeps,
  key: Key,
  { url, description, eventTypes, isPaused }: Input<typeof contract.changeWebhookEndpoint>['body'],
  by: By,
): Promise<Shown> {
  if (url !== undefined) checkWebhookUrl('url', url, rules)
  const after = await change(core, key, (unit, before) => {
    const after: AdditionalEndpointRow = {
      ...before,
      ...(url === undefined ? {} : { url }),
      ...(description === undefined ? {} : { description }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(isPaused === true ? { pausedAt: before.pausedAt ?? unit.at } : {}),
      ...(isPaused === false ? { pausedAt: null, givenUpInARow: 0, resumes: true } : {}),
    }
    const { pausedAt, givenUpInARow, resumes } = after
    updateAdditionalEndpoint(unit.tx, key, {
      ...{ url: after.url, description: after.description, eventTypes: after.eventTypes },
      ...{ pausedAt, givenUpInARow, resumes },
    })
    record(unit, after, 'webhook-endpoint.change', by, { before: settingsOf(before), after: settingsOf(after) })
    return after
  })
  return readEndpoint(core, after)
}

/** Replaces an endpoint's secret key; the old one also signs until the overlap ends. */
export async function rotateSecret(
  { core }: EndpointDeps,
  key: Key,
  overlapHours: number,
  by: By,
): Promise<Reply<typeof contract.rotateWebhookSecret>> {
  return change(core, key, (unit, before) => {
    const { secretKey, secret } = newEndpointSecret(core.keyring, key)
    const previousSecretUntil = secondsAfter(unit.at, overlapHours * 3_600)
    updateAdditionalEndpoint(unit.tx, key, { secret, previousSecret: before.secret, previousSecretUntil })
    record(unit, before, 'webhook-endpoint.rotate', by, { overlapEnds: previousSecretUntil })
    return { secretKey, oldValidUntil: previousSecretUntil.toISOString() }
  })
}

/** Removes an endpoint. Its waiting events are no longer sent. */
export async function removeEndpoint({ core }: EndpointDeps, key: Key, by: By): Promise<void> {
  await change(core, key, (unit, before) => {
    const withoutSecrets = { secret: null, previousSecret: null, previousSecretUntil: null }
    // The endpoint is resumed, so that its waiting deliveries are queued again and end as not sent.
    updateAdditionalEndpoint(unit.tx, key, { ...withoutSecrets, removedAt: unit.at, pausedAt: null, resumes: true })
    record(unit, before, 'webhook-endpoint.remove', by, { before: settingsOf(before) })
  })
}

/** Changes an endpoint that exists, and announces the change to every node. */
const change = <T>(core: Core, key: Key, work: (unit: UnitOfWork, before: AdditionalEndpointRow) => T): Promise<T> =>
  core.directory.change(key.merchantId, async (unit) => {
    const before = await lockAdditionalEndpoint(unit.tx, key.merchantId, key.id)
    if (before === undefined) throw endpointErrors.unknownEndpoint()
    return work(unit, before)
  })

type Act = 'webhook-endpoint.create' | 'webhook-endpoint.change' | 'webhook-endpoint.rotate' | 'webhook-endpoint.remove'

const DONE: Readonly<Record<Act, string>> = {
  'webhook-endpoint.create': 'added the webhook endpoint',
  'webhook-endpoint.change': 'changed the webhook endpoint',
  'webhook-endpoint.rotate': 'replaced the secret key of the webhook endpoint',
  'webhook-endpoint.remove': 'removed the webhook endpoint',
}

/** Audits a change of an endpoint, and notifies the merchant by mail. */
function record(unit: UnitOfWork, row: AdditionalEndpointRow, act: Act, by: By, details: object): void {
  const { merchantId, id, url } = row
  audit(unit, { ...by, merchantId, act, reference: `webhook-endpoint/${id}`, details })
  notify(unit, [
    {
      merchantId,
      subject: 'Your webhook endpoints were changed',
      text: [
        `${by.name} just ${DONE[act]} at ${new URL(url).host}.`,
        'If this was not you, contact us at once: someone may be using your account.',
      ].join('\n'),
      page: '/dashboard/webhooks',
    },
  ])
}

/** Returns the settings of an endpoint, for the audit log. */
const settingsOf = ({ url, description, eventTypes, pausedAt }: AdditionalEndpointRow): object => ({
  url,
  description,
  eventTypes,
  isPaused: pausedAt !== null,
})
