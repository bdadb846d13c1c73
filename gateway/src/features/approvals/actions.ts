import type { Core } from '../../core/core.ts'
import { personErrors, type RequestedAction, type SecondPerson } from '../../core/edge/http/index.ts'
import { audit } from '../../core/security/audit.ts'
import { selectTeam } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { ZERO } from '../../kernel/money.ts'
import { sha256 } from '../../platform/crypto.ts'
import {
  type ActionRow,
  insertAction,
  isActionWaiting,
  lockAction,
  selectActions,
  updateAction,
  useAction,
} from './action-repository.ts'
import { isSole } from './approvers.ts'
import { type Facts, type PayoutDefinition, WAITING } from './payouts.ts'
import { AUTHORIZE_SECONDS_MAX } from './policy.ts'
import { insertRequests } from './repository.ts'
import { requestFor } from './request.ts'

/** After an approval, the user has this long to repeat the request, which then takes effect. */
const USE_SECONDS_MAX = 86_400

/** Returns the facts that an approval covers. */
const factsOf = ({ action, details, requestHash }: ActionRow): Facts => [[action, details, requestHash]]

const hashOf = ({ route: { method, path }, input: { params, query, body } }: RequestedAction): string =>
  sha256(canonicalJson([method, path, params ?? null, query ?? null, body ?? null])).toString('base64url')

/** Describes the fields of a request in words. */
function detailsOf({ input: { params, query, body }, twoPeople: { shows } }: RequestedAction): string {
  const isShown = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null && value !== undefined && shows?.includes(name) !== false
  const fields = Array.isArray(body) ? [['', body] as const] : Object.entries((body ?? {}) as object).filter(isShown)
  return [...Object.entries({ ...(params as object), ...(query as object) }), ...fields]
    .map(
      ([name, value]) =>
        `${name === '' ? '' : `${name}: `}${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join('; ')
}

/** Lets an action continue if a second person has approved it, or if the user is the team's only approver. */
export const openSecondPerson =
  (core: Core): SecondPerson =>
  async (merchant, { personId }, requested, by) => {
    const merchantId = merchant.id
    const isAllowed = await unitOfWork(core, async (unit) => {
      const { tx, at, ids } = unit
      if (isSole(await selectTeam(tx, merchantId), personId, at)) return true
      const own = { merchantId, madeBy: personId, requestHash: hashOf(requested) }
      const { action } = requested.twoPeople
      const approved = await useAction(tx, own, secondsAfter(at, -USE_SECONDS_MAX))
      if (approved !== undefined) {
        audit(unit, { ...by, merchantId, act: 'action.use', reference: referenceOf(approved), details: { action } })
        return true
      }
      if (await isActionWaiting(tx, own, secondsAfter(at, -AUTHORIZE_SECONDS_MAX))) return false
      const details = detailsOf(requested)
      const row = { ...own, id: ids.id(), action, details, status: WAITING, createdAt: at, approvedAt: null } as const
      insertAction(tx, row)
      insertRequests(tx, [requestFor(row, 'ACTION', factsOf(row), { personId }, 1)])
      audit(unit, { ...by, merchantId, act: 'action.request', reference: referenceOf(row), details: { action } })
      return false
    })
    if (!isAllowed) throw personErrors.secondPersonNeeded()
  }

const referenceOf = ({ id }: Pick<ActionRow, 'id'>): string => `action/${id}`

/** Shows actions to approvers. An approved action takes effect only when its requester repeats the request. */
export const actionPayouts = ({ clock }: Core): PayoutDefinition => ({
  select: async (db, keys) => {
    const expired = secondsAfter(clock.now(), -AUTHORIZE_SECONDS_MAX)
    return (await selectActions(db, keys)).map((row) => ({
      id: row.id,
      reference: referenceOf(row),
      status: row.status === WAITING && row.createdAt <= expired ? 'EXPIRED' : row.status,
      amount: ZERO,
      fee: ZERO,
      recipient: row.action,
      narration: row.details,
      itemsCount: 1,
    }))
  },
  lock: async ({ tx, at }, key) => {
    const row = await lockAction(tx, key)
    invariant(row !== undefined, 'an approval request of kind ACTION has its action')
    return {
      reference: referenceOf(row),
      status: row.status,
      amount: ZERO,
      facts: factsOf(row),
      release: async () => {
        await updateAction(tx, key, { status: 'APPROVED', approvedAt: at })
        return undefined
      },
      reject: () => updateAction(tx, key, { status: 'REJECTED' }),
    }
  },
})
