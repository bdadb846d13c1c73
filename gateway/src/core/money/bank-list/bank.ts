/** A bank as customers and other banks know it. */
export interface Bank {
  readonly code: string
  readonly name: string
  /** What a customer dials to reach the bank, as `*737#`. */
  readonly baseUssdCode: string | null
  /** What a customer dials to pay, with `Amount` and `AccountNumber` to be filled in. */
  readonly ussdTemplate: string | null
  /** The institution's number among banks: six digits that start every session id. */
  readonly nipBankCode: string
  /** Whether money can be sent to its accounts. */
  readonly transfers: boolean
  /** Whether its accounts can be debited under a mandate. */
  readonly directDebit: boolean
  /** From then on nobody can choose it; its name is still told with what was done before. */
  readonly disabledAt: Date | null
}
