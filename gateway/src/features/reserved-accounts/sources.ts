import { equalSecrets } from '../../platform/crypto.ts'
import type { Payer } from '../../rails/bank.ts'

/** The allowed payers of an account: those in any of the lists. */
export interface PaymentSources {
  readonly bvns: readonly string[]
  readonly bankAccounts: readonly { readonly accountNumber: string; readonly bankCode: string }[]
  readonly accountNames: readonly string[]
}

export const isUnrestricted = ({ bvns, bankAccounts, accountNames }: PaymentSources): boolean =>
  bvns.length + bankAccounts.length + accountNames.length === 0

/** Whether a payer is in any of the lists. Data that the bank does not report matches nothing. */
export function isAllowed(sources: PaymentSources, { bvn, accountNumber, bankCode, name }: Payer): boolean {
  // Every BVN is compared, so that the time taken does not reveal which one matched.
  const equalBvns = bvn === null ? [] : sources.bvns.filter((allowed) => equalSecrets(allowed, bvn))
  return (
    equalBvns.length > 0 ||
    sources.bankAccounts.some((allowed) => allowed.accountNumber === accountNumber && allowed.bankCode === bankCode) ||
    (name !== null && sources.accountNames.some((allowed) => plainName(allowed) === plainName(name)))
  )
}

/** Names are compared without case and repeated spaces. */
const plainName = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toUpperCase()
