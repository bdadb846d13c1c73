import type { AccountSources } from '../../core/account-numbers/index.ts'
import type { Partners } from '../../rails/partners.ts'
import type { ReportViolation } from './violations.ts'

/** Decides which partner may report on an account number, and reports violations. */
export interface Ownership {
  /**
   * Whether a number belongs to a partner: to the partner of its account (`owner`) or, without an account, to any
   * partner with a source of such numbers.
   */
  readonly ownsNumber: (
    partner: string,
    number: { readonly bankCode: string; readonly accountNumber: string },
    owner: string | null,
  ) => boolean
  readonly violation: ReportViolation
}

export const openOwnership = (
  { isOf }: Partners,
  sources: () => AccountSources,
  violation: ReportViolation,
): Ownership => ({
  ownsNumber: (partner, number, owner) => {
    if (owner !== null) return isOf(partner, owner)
    const owners = sources().partnersOf(number)
    return owners.length === 0 ? isOf(partner, null) : owners.some((one) => isOf(partner, one))
  },
  violation,
})
