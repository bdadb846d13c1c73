import { AUDITED, type Audited, type Input, RECORDED_BY_THEIR_WORK, type Reply, type Route } from '@kobo/contract'
import { Refusal } from '../../../kernel/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import type { Caller } from './caller.ts'
import { nameIn, namesOf } from './named.ts'

type Handler<R extends Route> = (input: Input<R>, caller: Caller<R>) => Promise<Reply<R>>

/**
 * Has calls of a route leave a record, where the contract wants that: who called, from where, and what came of it. It is
 * there before the caller gets the answer. Where it cannot be written, the answer stands all the same, since what was done
 * is done, and the log tells. Other routes are left as they are.
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
            reference: audited.by === undefined ? undefined : nameIn(input as object, [audited.by]),
            details: { outcome },
          }).catch((error: unknown) =>
            log.error({ error, act: audited.act, merchantId: String(merchant.id), outcome }, 'an act was not recorded'),
          )
    try {
      const reply = await handler(input, caller)
      if (!RECORDED_BY_THEIR_WORK.has(route)) await leave('done')
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

/**
 * What a person does by a route of the API is recorded always, and what was refused; the dashboard's own routes write their
 * records themselves.
 */
function auditedOfPeople(route: Route): Audited | undefined {
  if (route.person === undefined || route.access === 'person' || route.method === 'GET') return undefined
  const [by] = namesOf(route)
  return { act: `${route.method} ${route.path}`, ...(by === undefined ? {} : { by }) }
}
