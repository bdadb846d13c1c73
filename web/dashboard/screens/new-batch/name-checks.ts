import type { Reply, validateAccount } from '@kobo/contract'
import * as routes from '../../../routes.ts'
import { type CallResult, call } from '../../api/call.ts'
import { useLookups } from '../../api/use-lookups.ts'
import type { BatchRow } from './batch-file.ts'

/** The bank’s response about the account of a row. */
export interface NameCheck {
  readonly outcome: 'MATCHES' | 'DIFFERENT_NAME' | 'NOT_COMPARED' | 'UNKNOWN_ACCOUNT' | 'NOT_CHECKED'
  /** The account's name at the bank, if it is known. */
  readonly bankName: string
}

/** The banks' responses by account. */
export type BankNames = ReadonlyMap<string, CallResult<Reply<typeof validateAccount>>>

/** The account of a row, as a key: the bank is queried once per account, even if several rows have it. */
export const accountOf = ({ bankCode, accountNumber }: BatchRow): string => `${bankCode}/${accountNumber}`

const validate = ({ bankCode, accountNumber }: BatchRow): Promise<CallResult<Reply<typeof validateAccount>>> =>
  call(routes.validateAccount, { query: { bankCode, accountNumber } })

/** Looks up the names of all accounts in a file at their banks, a few at a time. */
export const useBankNames = (rows: readonly BatchRow[]): BankNames => useLookups(rows, accountOf, validate)

/** Compares the name in a row with the bank's; undefined until the bank responds. */
export function checkOf(row: BatchRow, names: BankNames): NameCheck | undefined {
  const { accountName } = row
  const result = names.get(accountOf(row))
  if (result === undefined) return undefined
  if (result.kind === 'done') {
    const { accountName: bankName } = result.body
    // Without a name in the file, only a person can tell whether the bank's name is right.
    if (wordsOf(accountName).length === 0) return { outcome: 'NOT_COMPARED', bankName }
    return { outcome: isSameName(accountName, bankName) ? 'MATCHES' : 'DIFFERENT_NAME', bankName }
  }
  const isUnknown = result.kind === 'rejected' && result.error.code === 'UNKNOWN_ACCOUNT'
  return { outcome: isUnknown ? 'UNKNOWN_ACCOUNT' : 'NOT_CHECKED', bankName: '' }
}

const wordsOf = (name: string): readonly string[] => name.toUpperCase().match(/[\p{L}\d]+/gu) ?? []

/** Whether every word of one name is in the other, in any order, since files leave out second names. */
function isSameName(given: string, bankName: string): boolean {
  const [one, other] = [wordsOf(given), wordsOf(bankName)]
  return one.every((word) => other.includes(word)) || (other.length > 0 && other.every((word) => one.includes(word)))
}
