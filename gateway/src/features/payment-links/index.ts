export { paymentLinkFeature } from './feature.ts'
export { type PaymentLinkRow, paymentLinkList } from './repository.ts'
export { linkStatus, type PaymentLink, withTransactions } from './service.ts'
export { linkUrl } from './show.ts'
