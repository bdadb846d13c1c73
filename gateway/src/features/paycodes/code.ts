import { createHmac } from 'node:crypto'
import type { Keyring } from '../../core/security/keyring.ts'
import { randomDigits } from '../../kernel/ids.ts'
import type { PaycodeRow } from './repository.ts'

const CODE_LENGTH = 8
const SHOWN_LENGTH = 2

/** A code is cash to whoever knows it. */
export const newCode = (): string => randomDigits(CODE_LENGTH)

/** All that may be shown of a code: ******46. */
export const masked = (code: string): string => code.slice(-SHOWN_LENGTH).padStart(CODE_LENGTH, '*')

/** What is stored of codes: encrypted, and as a hash by which a code is found but cannot be guessed. */
export interface CodeVault {
  readonly seal: (code: string, paycode: Pick<PaycodeRow, 'merchantId' | 'id'>) => Buffer
  readonly open: (paycode: Pick<PaycodeRow, 'merchantId' | 'id' | 'sealed'>) => string
  readonly hash: (code: string) => Buffer
}

/** Where a paycode's code belongs. */
export const place = ({ merchantId, id }: Pick<PaycodeRow, 'merchantId' | 'id'>): string =>
  `paycode/${merchantId}/${id}`

export function codeVault(keyring: Keyring): CodeVault {
  const key = keyring.derive('paycodes')
  return {
    seal: (code, paycode) => keyring.seal(code, place(paycode)),
    open: (paycode) => keyring.open(paycode.sealed, place(paycode)),
    hash: (code) => createHmac('sha256', key).update(code).digest(),
  }
}
