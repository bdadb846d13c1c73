import type { JSX } from 'preact'
import * as routes from '../../../routes.ts'
import { useReply } from '../../api/use-reply.ts'
import { Facts } from '../../parts/list/detail.tsx'
import { customerUrl } from '../../parts/list/reference.ts'

interface CustomerOfPaymentProps {
  readonly item: { readonly transactionReference: string }
}

/** The customer whose payment an item is about. */
export function CustomerOfPayment({ item: { transactionReference } }: CustomerOfPaymentProps): JSX.Element | null {
  const { body } = useReply(routes.getTransactionTimeline, { params: { transactionReference } })
  if (body === undefined) return null
  return (
    <Facts
      columns={[
        {
          title: 'Customer',
          value: ({ customerName, customerEmail }) => customerName ?? customerEmail,
          link: ({ customerEmail }) => customerUrl(customerEmail),
        },
      ]}
      item={body.transaction}
    />
  )
}
