import type { getHealth, Reply } from '@kobo/contract'
import type { JSX } from 'preact'

type Waiting = Reply<typeof getHealth>['waiting']

const TEXTS: Readonly<Record<keyof Waiting, { readonly one: string; readonly many: string; readonly href: string }>> = {
  changes: { one: 'change to approve', many: 'changes to approve', href: 'changes?status=WAITING' },
  unresolvedOrders: { one: 'order without an outcome', many: 'orders without an outcome', href: 'orders' },
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
  conflicts: { one: 'conflicting credit', many: 'conflicting credits', href: 'conflicts' },
  pausedReceivers: { one: 'paused webhook endpoint', many: 'paused webhook endpoints', href: 'deliveries' },
}

/** Work that waits for an operator; nothing if there is none. */
export function Attention({ waiting }: { readonly waiting: Waiting }): JSX.Element | null {
  const shown = (Object.keys(TEXTS) as (keyof Waiting)[]).filter((one) => waiting[one] > 0)
  if (shown.length === 0) return null
  return (
    <section class="notice warn" aria-labelledby="attention">
      <h2 id="attention">Needs action</h2>
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
      </ul>
    </section>
  )
}
