import type { Rails } from './index.ts'

/**
 * Rails that lead nowhere, for a deployment that has connected none. What is sent fails, since nothing was sent; what is
 * asked is unavailable; and what was sent before, when rails were there, stays unknown.
 */
export const absentRails: Rails = {
  biller: {
    catalogue: async () => ({ kind: 'unavailable' }),
    validateCustomer: async () => ({ kind: 'unavailable' }),
    vend: async () => ({ kind: 'failed', reason: 'No biller is connected' }),
    findVend: async () => ({ kind: 'unknown' }),
  },
  card: {
    charge: async () => ({ kind: 'declined', reason: 'No card network is connected' }),
    authorizeOtp: async () => ({ kind: 'unknown' }),
    find: async () => ({ kind: 'unknown' }),
    refund: async () => ({ kind: 'refused', reason: 'No card network is connected' }),
    findRefund: async () => ({ kind: 'unknown' }),
  },
  debit: {
    debit: async () => ({ kind: 'declined', reason: 'No bank is connected', isStopped: false }),
    findDebit: async () => ({ kind: 'unknown' }),
  },
  identity: {
    findBvn: async () => ({ kind: 'unavailable' }),
    findNin: async () => ({ kind: 'unavailable' }),
    findAccount: async () => ({ kind: 'unavailable' }),
  },
  returns: {
    isOffered: () => false,
    send: async () => ({ kind: 'failed', reason: 'No bank is connected' }),
    find: async () => ({ kind: 'unknown' }),
  },
  transfer: {
    nameEnquiry: async () => ({ kind: 'unavailable' }),
    send: async () => ({ kind: 'failed', reason: 'No bank is connected' }),
    find: async () => ({ kind: 'unknown' }),
  },
}
