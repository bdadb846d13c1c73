import { createHmac } from 'node:crypto'
import type { Keyring } from '../../core/security/keyring.ts'
import { randomDigits } from '../../kernel/ids.ts'
import type { PaycodeRow } from './repository.ts'

const CODE_LENGTH = 8
const SHOWN_LENGTH = 2

/** Creates a random code. Anyone who knows it can collect the cash. */
export const newCode = (): string => randomDigits(CODE_LENGTH)

/** The placeholder for the code of a paycode that has none yet, because it is not approved. */
export const NO_CODE = '*'.repeat(CODE_LENGTH)

/** Hides all but the last digits of a code: ******46. */
export const masked = (code: string): string => code.slice(-SHOWN_LENGTH).padStart(CODE_LENGTH, '*')

/** Encrypts and decrypts stored codes, and hashes codes with a key for lookups. */
export interface CodeVault {
  readonly seal: (code: string, paycode: Pick<PaycodeRow, 'merchantId' | 'id'>) => Buffer
  readonly open: (paycode: Pick<PaycodeRow, 'merchantId' | 'id' | 'sealed'>) => string
  readonly hash: (code: string) => Buffer
}

export const codeContext = ({ merchantId, id }: Pick<PaycodeRow, 'merchantId' | 'id'>): string =>
  `paycode/${merchantId}/${id}`

export function codeVault(keyring: Keyring): CodeVault {
  const key = keyring.derive('paycodes')
  return {
    seal: (code, paycode) => keyring.seal(code, codeContext(paycode)),
    open: (paycode) => keyring.open(paycode.sealed, codeContext(paycode)),
    hash: (code) => createHmac('sha256', key).update(code).digest(),
  }
}
