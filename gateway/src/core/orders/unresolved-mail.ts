import { formatNaira, sum } from '../../kernel/money.ts'
import { type Notice, notify } from '../messages/notices.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { OrderRow } from './order.ts'
import { countUnresolved } from './repository.ts'

/** Mails merchants whose transfers now need manual review, except those whose earlier transfers still need it. */
export async function notifyOfUnresolved(unit: UnitOfWork, orders: readonly OrderRow[]): Promise<void> {
  const unresolved = orders.filter(({ state, purpose }) => state === 'UNRESOLVED' && purpose === 'transfer')
  for (const [merchantId, all] of Map.groupBy(unresolved, (order) => order.merchantId))
    if ((await countUnresolved(unit.tx, merchantId, 'transfer')) === all.length)
      notify(unit, [unresolvedNotice(merchantId, all)])
}

function unresolvedNotice(merchantId: bigint, transfers: readonly OrderRow[]): Notice {
  const [only, ...others] = transfers
  const amount = formatNaira(sum(transfers.map((one) => one.amount)))
  const isOne = only !== undefined && others.length === 0
  return {
    merchantId,
    topic: 'PAYOUTS',
    page: isOne ? `/dashboard/transfers/${only.subjectId}` : '/dashboard/transfers?status=PENDING',
    subject: isOne ? `A transfer of ${amount} has no result yet` : `${transfers.length} transfers have no result yet`,
    text: [
      isOne
        ? `The bank has not confirmed whether your transfer of ${amount} arrived.`
        : `The bank has not confirmed whether ${transfers.length} of your transfers, ${amount} in all, arrived.`,
      `Do not send ${isOne ? 'it' : 'them'} again. We are asking the bank, and the dashboard will show the result.`,
    ].join('\n'),
  }
}
