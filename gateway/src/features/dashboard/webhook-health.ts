import type { getWebhookHealth, Reply } from '@kobo/contract'
import { healthOf, selectEndpoints, selectNewestAttempts } from '../../core/messages/outbox/index.ts'
import type { Reader } from './lists.ts'

/** How many delivery attempts are read at most. */
const ATTEMPTS_MAX = 500

/** Reads the results of the newest delivery attempts of each webhook URL. */
export async function readWebhookHealth({ db, merchant }: Reader): Promise<Reply<typeof getWebhookHealth>> {
  const [endpoints, newest] = await Promise.all([
    selectEndpoints(db, merchant.id),
    selectNewestAttempts(db, merchant.id, ATTEMPTS_MAX),
  ])
  const byUrl = Map.groupBy(newest, ({ url }) => url)
  return {
    endpoints: endpoints.map(({ kind, url, pausedAt }) => {
      const { lastAttemptAt, ...health } = healthOf(byUrl.get(url) ?? [])
      return {
        kind,
        url,
        pausedOn: pausedAt?.toISOString() ?? null,
        ...health,
        lastAttemptOn: lastAttemptAt?.toISOString() ?? null,
      }
    }),
  }
}
