import type { getWebhookHealth, Reply } from '@kobo/contract'
import { selectEndpoints, selectNewestAttempts } from '../../core/messages/outbox/index.ts'
import type { Reader } from './lists.ts'

/** The most delivery attempts that health is read from. */
const ATTEMPTS_MAX = 500
/** The most failures shown of each URL. */
const FAILURES_MAX = 5
const OK = 200

type Endpoint = Reply<typeof getWebhookHealth>['endpoints'][number]

/** How well each webhook URL took its newest events. */
export async function readWebhookHealth({ db, merchant }: Reader): Promise<Reply<typeof getWebhookHealth>> {
  const [endpoints, newest] = await Promise.all([
    selectEndpoints(db, merchant.id),
    selectNewestAttempts(db, merchant.id, ATTEMPTS_MAX),
  ])
  const byUrl = Map.groupBy(newest, ({ url }) => url)
  return {
    endpoints: endpoints.map(({ kind, url, pausedAt }): Endpoint => {
      const attempts = (byUrl.get(url) ?? []).toSorted((one, other) => other.at.getTime() - one.at.getTime())
      const times = attempts.filter(({ status }) => status !== null).map(({ milliseconds }) => milliseconds)
      return {
        kind,
        url,
        pausedOn: pausedAt?.toISOString() ?? null,
        attempts: attempts.length,
        delivered: attempts.filter(({ status }) => status === OK).length,
        medianMilliseconds: times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? null,
        lastAttemptOn: attempts[0]?.at.toISOString() ?? null,
        failures: attempts
          .filter(({ status }) => status !== OK)
          .slice(0, FAILURES_MAX)
          .map(({ eventId, at, status, error, milliseconds }) => ({
            eventId: String(eventId),
            at: at.toISOString(),
            status,
            error,
            milliseconds,
          })),
      }
    }),
  }
}
