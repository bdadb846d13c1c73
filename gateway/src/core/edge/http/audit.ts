import { AUDITED, type Audited, type Input, type Reply, ROUTES, type Route, SELF_AUDITED } from '@kobo/contract'
import { Refusal } from '../../../kernel/errors.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import { maskedText } from '../request-recorder/index.ts'
import type { Caller } from './caller.ts'
import { nameIn, namesOf } from './request-reference.ts'

type Handler<R extends Route> = (input: Input<R>, caller: Caller<R>) => Promise<Reply<R>>

/**
 * Audits a route's calls if the contract says so. Writes caller, address and outcome before the response is sent. A
 * failed write is logged, and the response is sent anyway, because the work is done.
 */
export function recorded<R extends Route>(
  route: R,
  { trail, log }: { readonly trail: AuditTrail; readonly log: Log },
  handler: Handler<R>,
): Handler<R> {
  const always = AUDITED.get(route)
  const forUsers = always ?? auditedForUsers(route)
  if (forUsers === undefined) return handler
  const record = async (audited: Audited, input: Input<R>, caller: Caller<R>): Promise<Reply<R>> => {
    const { merchant, by } = caller
    const writeRecord = (outcome: string): Promise<void> =>
      merchant === undefined
        ? Promise.resolve()
        : trail({
            ...by,
            merchantId: merchant.id,
            act: audited.act,
            reference: audited.by === undefined ? undefined : referenceIn(input as object, audited.by),
            details: { outcome },
          }).catch((error: unknown) =>
            log.error({ error, act: audited.act, merchantId: String(merchant.id), outcome }, 'audit record missing'),
          )
    try {
      const reply = await handler(input, caller)
      if (!SELF_AUDITED.has(route)) await writeRecord('done')
      return reply
    } catch (error) {
      await writeRecord(error instanceof Refusal ? error.code : 'failed')
      throw error
    }
  }
  return (input, caller) => {
    const audited = caller.person === undefined ? always : forUsers
    return audited === undefined ? handler(input, caller) : record(audited, input, caller)
  }
}

/** Returns the reference of the request's subject, with card numbers masked. */
function referenceIn(input: object, by: string): string | undefined {
  const reference = nameIn(input, [by])
  return reference === undefined ? undefined : maskedText(reference)
}

/**
 * Returns how a user's calls of an API route are audited. Calls that change something always are, including rejected
 * ones. For the dashboard's own routes, the handlers write the audit records.
 */
function auditedForUsers(route: Route): Audited | undefined {
  if (route.person === undefined || route.access === 'person' || route.method === 'GET') return undefined
  const [by] = namesOf(route)
  return { act: actOf(route), ...(by === undefined ? {} : { by }) }
}

const actOf = ({ method, path }: Route): string => `${method} ${path}`

const TITLES = new Map(ROUTES.map(({ route }) => [actOf(route), route.summary]))

/** Returns what a user's call of an API route does, in words; null for any other act. */
export const titleOfAct = (act: string): string | null => TITLES.get(act) ?? null
