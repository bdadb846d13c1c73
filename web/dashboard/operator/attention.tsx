import type { getHealth, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'

type Health = Reply<typeof getHealth>
type Waiting = Health['waiting']

const TEXTS: Readonly<Record<keyof Waiting, { readonly one: string; readonly many: string; readonly href: string }>> = {
  changes: { one: 'change waiting for approval', many: 'changes waiting for approval', href: 'changes?status=WAITING' },
  unresolvedOrders: { one: 'unknown outcome', many: 'unknown outcomes', href: 'orders' },
  returns: { one: 'credit in suspense', many: 'credits in suspense', href: 'suspense' },
  exceptions: {
    one: 'reconciliation exception',
    many: 'reconciliation exceptions',
    href: 'reconciliation',
  },
  disputesDue: {
    one: 'dispute due within three days',
    many: 'disputes due within three days',
    href: 'all-disputes?status=OPEN',
  },
  conflicts: {
    one: 'credit reported twice with different details',
    many: 'credits reported twice with different details',
    href: 'conflicts',
  },
  pausedReceivers: { one: 'paused webhook endpoint', many: 'paused webhook endpoints', href: 'deliveries' },
}

const isUnverified = ({ lastProof: { sinceCheckpointsOn, wholeOn } }: Health): boolean =>
  sinceCheckpointsOn === null && wholeOn === null

/** The work that waits for an operator. */
export function Attention({ health }: { readonly health: Health }): JSX.Element | null {
  const { body: float } = useReply(routes.getFloat, {})
  const { waiting } = health
  const shown = (Object.keys(TEXTS) as (keyof Waiting)[]).filter((one) => waiting[one] > 0)
  const low = float?.partners.filter(({ held, minimum }) => minimum !== null && held < minimum).length ?? 0
  if (shown.length === 0 && low === 0 && !isUnverified(health))
    return float === undefined ? null : <p class="notice">Nothing needs attention now.</p>
  return (
    <section class="notice warn" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul>
        {shown.map((one) => {
          const { one: single, many, href } = TEXTS[one]
          const count = waiting[one]
          return (
            <li key={one}>
              <a href={`/dashboard/${href}`}>
                {count.toLocaleString('en')} {count === 1 ? single : many}
              </a>
            </li>
          )
        })}
        {low > 0 && (
          <li>
            <a href="/dashboard/float">
              {low} {low === 1 ? 'partner' : 'partners'} below the minimum
            </a>
          </li>
        )}
        {isUnverified(health) && (
          <li>
            <a href="/dashboard/health">The ledger was never verified</a>
          </li>
        )}
      </ul>
    </section>
  )
}
