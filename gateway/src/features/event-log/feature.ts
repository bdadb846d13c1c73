import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Share, SharedLimit } from '../../core/security/limits.ts'
import { eventLogRoutes } from './routes.ts'

/** How often a merchant may resend all events since some time, over all nodes. */
const RESENDS = { name: 'resend', max: 30, seconds: 3_600 }
/** How often a merchant may send a test event, over all nodes. */
const TESTS = { name: 'test event', max: 60, seconds: 3_600 }

interface Deps {
  readonly core: Core
  readonly openSharedLimit: (share: Share) => SharedLimit
}

/** The events sent to a merchant, and resending them. */
export const eventLogFeature = {
  open: ({ core, openSharedLimit }: Deps) => {
    const resends = openSharedLimit(RESENDS)
    const tests = openSharedLimit(TESTS)
    return { routes: (serve) => eventLogRoutes(serve, { core, resends, tests }) }
  },
} satisfies Feature
