import type { PaymentLink as ShownLink } from '@kobo/contract'
import type { Static } from 'typebox'
import { spaced } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import { linkStatus, type PaymentLink } from './service.ts'

export const linkUrl = (publicUrl: string, { slug }: Pick<PaymentLink, 'slug'>): string => `${publicUrl}/pay/${slug}`

/** Shows a link with its status at the given time. */
export const showLink = (link: PaymentLink, publicUrl: string, at: Date): Static<typeof ShownLink> => ({
  linkReference: link.reference,
  url: linkUrl(publicUrl, link),
  status: linkStatus(link, at),
  title: link.title,
  description: link.description,
  amount: link.amount === null ? null : toNaira(link.amount),
  usage: link.usage,
  contractCode: link.contractCode,
  paymentMethods: [...link.paymentMethods],
  redirectUrl: link.redirectUrl,
  createdOn: spaced(link.createdAt),
  expiryDate: link.expiresAt === null ? null : spaced(link.expiresAt),
  transactionReference: link.transaction?.transactionReference ?? null,
})
