import { acts, ownedBy, type RowQuestion, ranged, within } from '../../core/money/ledger/index.ts'
import { forgotten, type WithOrder, withOrder } from '../../core/orders/index.ts'
import { refundCompleted, refundFailed, refundHeld } from './journals.ts'
import { type RefundRow, refunds } from './repository.ts'

type Refund = RefundRow & WithOrder

const refundQuestion = acts<Refund>({
  name: 'refund',
  rows: { table: 'refund', idsAre: 'moments' },
  read: (tx, ranges) =>
    tx<Refund[]>`
      select ${refunds.of('r')}, o.state as order_state
        from ${ranged(ranges)}
        join refund r on ${within('r')}
        ${withOrder}`,
  reference: ({ refundReference }) => refundReference,
  standing: ({ status }) => status,
  consequences: (refund) => {
    const { status, refundReference: reference, completedAt, createdAt } = refund
    const at = completedAt ?? createdAt
    const [held, completed, failed] = [refundHeld(refund), refundCompleted(refund), refundFailed(refund)]
    switch (status) {
      case 'PENDING':
        return { booked: [held], unbooked: [completed.key, failed.key], wrong: forgotten(true, refund) }
      case 'COMPLETED':
        return {
          booked: [held, completed],
          unbooked: [failed.key],
          told: [{ eventType: 'SUCCESSFUL_REFUND', reference, at }],
        }
      case 'FAILED':
        return {
          booked: [held, failed],
          unbooked: [completed.key],
          told: [{ eventType: 'FAILED_REFUND', reference, at }],
        }
    }
  },
  mayChange: ({ status }) => status === 'PENDING',
  owned: [ownedBy('refund/', 'refund', 'reference')],
})

/** What must hold of refunds in the books. */
export const refundQuestions: readonly RowQuestion[] = [refundQuestion]
