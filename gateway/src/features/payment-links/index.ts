export { paymentLinkFeature } from './feature.ts'
export { findLink, type PaymentLinkRow, paymentLinkList, selectLinkTransactions } from './repository.ts'
export { getLink, linkStatus, type PaymentLink, withTransactions } from './service.ts'
export { linkUrl } from './show.ts'
