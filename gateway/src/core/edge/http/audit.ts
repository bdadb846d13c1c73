import { AUDITED, type Audited, type Input, type Reply, type Route, SELF_AUDITED } from '@kobo/contract'
import { Refusal } from '../../../kernel/errors.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import { maskedText } from '../request-recorder/index.ts'
import type { Caller } from './caller.ts'
import { nameIn, namesOf } from './request-reference.ts'

type Handler<R extends Route> = (input: Input<R>, caller: Caller<R>) => Promise<Reply<R>>

/**
 * Audits calls of a route if the contract says so: caller, address and outcome, written before the response is sent. If
 * the write fails, that is logged and the response is sent anyway, since the work is done.
 */
export function recorded<R extends Route>(
  route: R,
  { trail, log }: { readonly trail: AuditTrail; readonly log: Log },
  handler: Handler<R>,
): Handler<R> {
  const always = AUDITED.get(route)
  const ofPeople = always ?? auditedOfPeople(route)
  if (ofPeople === undefined) return handler
  const record = async (audited: Audited, input: Input<R>, caller: Caller<R>): Promise<Reply<R>> => {
    const { merchant, by } = caller
    const leave = (outcome: string): Promise<void> =>
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
      if (!SELF_AUDITED.has(route)) await leave('done')
      return reply
    } catch (error) {
      await leave(error instanceof Refusal ? error.code : 'failed')
      throw error
    }
  }
  return (input, caller) => {
    const audited = caller.person === undefined ? always : ofPeople
    return audited === undefined ? handler(input, caller) : record(audited, input, caller)
  }
}

/** The subject's reference, without card numbers. */
function referenceIn(input: object, by: string): string | undefined {
  const reference = nameIn(input, [by])
  return reference === undefined ? undefined : maskedText(reference)
}

/**
 * A user's calls of API routes that change something are always audited, including rejected ones. For the dashboard's
 * own routes, the handlers write the audit records.
 */
function auditedOfPeople(route: Route): Audited | undefined {
  if (route.person === undefined || route.access === 'person' || route.method === 'GET') return undefined
  const [by] = namesOf(route)
  return { act: `${route.method} ${route.path}`, ...(by === undefined ? {} : { by }) }
}
