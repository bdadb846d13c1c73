import { acts, type Owned, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { forgotten, ofOrder, type WithOrder, withOrder } from '../../core/orders/index.ts'
import { sum } from '../../kernel/money.ts'
import { rowSet, type Tx } from '../../platform/postgres/db.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { afterParts } from './conclude.ts'
import { refundCompleted, refundFailed, refundHeld } from './journals.ts'
import { type PartRow, parts, partsOf, type RefundRow, refunds } from './repository.ts'

type Part = PartRow & WithOrder

/** A refund and its parts; a refund of a single payment has itself as its only part. */
type Refund = RefundRow & { readonly parts: readonly Part[] }

const refundCheck = acts<Refund>({
  name: 'refund',
  rows: { table: 'refund', idFormat: 'standard' },
  read: async (tx, ranges) => {
    const rows = await tx<(RefundRow & WithOrder)[]>`
      select ${refunds.of('r')}, ${ofOrder}
        from ${ranged(ranges)}
        join refund r on ${within('r', ranges)}
        ${withOrder(ranges)}`
    const several = await tx<Part[]>`
      select ${parts.of('r')}, ${ofOrder}
        from ${ranged(ranges)}
        join refund_part r on ${within('r', ranges, 'refund_id')}
        ${withOrder(ranges)}`
    return rows.map((refund) => {
      const { orderState, orderPartner } = refund
      return { ...refund, parts: partsOf(refund, several).map((part) => ({ orderState, orderPartner, ...part })) }
    })
  },
  reference: ({ refundReference }) => refundReference,
  state: ({ status }) => status,
  consequences: (refund) => {
    const { status, refundReference: reference, completedAt, createdAt } = refund
    const at = completedAt ?? createdAt
    const following = refund.parts.map((part) => ofPart(refund, part))
    return {
      booked: [
        refundHeld({
          ...refund,
          amount: sum(refund.parts.map(({ amount }) => amount)),
          fee: sum(refund.parts.map(({ fee }) => fee)),
        }),
        ...following.flatMap(({ booked }) => booked),
      ],
      unbooked: following.flatMap(({ unbooked }) => unbooked),
      wrong: [...partDifferences(refund), ...following.flatMap(({ wrong }) => wrong)],
      events:
        status === 'PENDING'
          ? []
          : [{ eventType: status === 'COMPLETED' ? 'SUCCESSFUL_REFUND' : 'FAILED_REFUND', reference, at }],
    }
  },
  mayChange: ({ status }) => status === 'PENDING',
  owned: [{ prefix: 'refund/', find: findRefundsOf }],
})

/** Returns the expected journals of a part. */
function ofPart(refund: RefundRow, part: Part) {
  const [completed, failed] = [
    refundCompleted({ ...refund, ...part }, part.orderPartner),
    refundFailed({ ...refund, ...part }),
  ]
  switch (part.status) {
    case 'PENDING':
      return { booked: [], unbooked: [completed.key, failed.key], wrong: forgotten(true, part) }
    case 'COMPLETED':
      return { booked: [completed], unbooked: [failed.key], wrong: [] }
    case 'FAILED':
      return { booked: [failed], unbooked: [completed.key], wrong: [] }
  }
}

/** Describes the differences between a refund and its parts. */
function partDifferences(refund: Refund): readonly string[] {
  const status = afterParts(refund, refund.parts, refund.createdAt)?.status ?? 'PENDING'
  const counted = refund.parts.filter((part) => status !== 'COMPLETED' || part.status === 'COMPLETED')
  const amount = sum(counted.map((part) => part.amount))
  const fee = sum(counted.map((part) => part.fee))
  return refund.status === status && refund.amount === amount && refund.fee === fee
    ? []
    : [`refund of ${refund.amount} is ${refund.status}, its parts are ${status} with ${amount}`]
}

const ofRefunds: Owned = ownedBy('refund/', 'refund', 'reference')

/** Finds the refunds of journals. A journal's key has the reference of the refund or of one of its parts. */
async function findRefundsOf(tx: Tx, journals: Parameters<Owned['find']>[1]): ReturnType<Owned['find']> {
  const named = journals.map(({ merchantId, key }) => ({ merchantId, key, reference: key.split('/')[1] ?? '' }))
  const byPart = await tx<{ merchantId: bigint; key: string; id: bigint }[]>`
    select k.merchant_id, k.key, p.refund_id as id
      from json_to_recordset(${rowSet(named)}::text::json) as k (merchant_id bigint, key text, reference text)
      join refund_part p on ${ofMerchants('p', named)} and p.merchant_id = k.merchant_id and p.reference = k.reference`
  return [...(await ofRefunds.find(tx, journals)), ...byPart]
}

export const refundChecks: readonly RowCheck[] = [refundCheck]
