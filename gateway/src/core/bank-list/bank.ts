/** A bank with its names, codes and capabilities. */
export interface Bank {
  readonly code: string
  readonly name: string
  /** The bank's USSD code, such as `*737#`. */
  readonly baseUssdCode: string | null
  /** The USSD code for a payment, with `Amount` and `AccountNumber` as placeholders. */
  readonly ussdTemplate: string | null
  /** The NIP institution code: six digits that start every session id. */
  readonly nipBankCode: string
  readonly transfers: boolean
  /** Whether the bank's accounts can be debited under a mandate. */
  readonly directDebit: boolean
  /** Since when the bank cannot be chosen, if so. Its name is still shown for earlier payments. */
  readonly disabledAt: Date | null
}
