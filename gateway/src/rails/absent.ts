import type { PartnerRails } from './not-sent.ts'

/**
 * The rails if no partner is connected. Orders are not sent, enquiries are unavailable, and the outcomes of earlier
 * orders stay unknown.
 */
export const absentRails: PartnerRails = {
  account: {
    open: async () => ({ kind: 'not sent', reason: 'No bank is connected that issues account numbers' }),
    find: async () => ({ kind: 'unknown' }),
    close: async () => ({ kind: 'unsupported' }),
    rename: async () => ({ kind: 'unsupported' }),
  },
  biller: {
    catalogue: async () => ({ kind: 'unavailable' }),
    validateCustomer: async () => ({ kind: 'unavailable' }),
    vend: async () => ({ kind: 'not sent', reason: 'No biller is connected' }),
    findVend: async () => ({ kind: 'unknown' }),
  },
  card: {
    charge: async () => ({ kind: 'not sent', reason: 'No card network is connected' }),
    authorizeOtp: async () => ({ kind: 'unknown' }),
    find: async () => ({ kind: 'unknown' }),
    refund: async () => ({ kind: 'not sent', reason: 'No card network is connected' }),
    findRefund: async () => ({ kind: 'unknown' }),
  },
  debit: {
    debit: async () => ({ kind: 'not sent', reason: 'No bank is connected' }),
    findDebit: async () => ({ kind: 'unknown' }),
  },
  identity: {
    findBvn: async () => ({ kind: 'unavailable' }),
    findNin: async () => ({ kind: 'unavailable' }),
    findAccount: async () => ({ kind: 'unavailable' }),
  },
  returns: {
    isOffered: () => false,
    send: async () => ({ kind: 'not sent', reason: 'No bank is connected' }),
    find: async () => ({ kind: 'unknown' }),
  },
  transfer: {
    nameEnquiry: async () => ({ kind: 'unavailable' }),
    send: async () => ({ kind: 'not sent', reason: 'No bank is connected' }),
    find: async () => ({ kind: 'unknown' }),
  },
}
