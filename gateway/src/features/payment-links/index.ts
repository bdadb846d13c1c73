export { paymentLinkFeature } from './feature.ts'
export { findLink, paymentLinkList, selectLinkTransactions } from './repository.ts'
export { getLink, linkStatus, type PaymentLink, withTransactions } from './service.ts'
export { linkUrl } from './show.ts'
