import { createHmac } from 'node:crypto'
import type { Keyring } from '../../core/security/keyring.ts'
import type { Environment } from '../../platform/config/config.ts'
import { equalSecrets } from '../../platform/crypto.ts'
import type { MandateKey } from './repository.ts'

export const LINK_PATH = '/direct-debit/authorize'

/** Links for customers. Each link lets its holder decide on one mandate, and on no other. */
export interface MandateLinks {
  /** Null if the decision is not made on our page: in live mode the customer decides at the bank. */
  readonly linkTo: (mandate: MandateKey) => string | null
  /** Reads the mandate from the last part of a link; undefined if we did not make that link. */
  readonly read: (token: string) => MandateKey | undefined
}

interface Deps {
  readonly keyring: Keyring
  readonly environment: Environment
  readonly publicUrl: () => string
}

const IDS_LENGTH = 16
const PROOF_LENGTH = 24
const TOKEN = /^[A-Za-z0-9_-]{54}$/

export function mandateLinks({ keyring, environment, publicUrl }: Deps): MandateLinks {
  const key = keyring.derive('mandate links')
  const tokenOf = ({ merchantId, id }: MandateKey): string => {
    const ids = Buffer.alloc(IDS_LENGTH)
    ids.writeBigInt64BE(merchantId)
    ids.writeBigInt64BE(id, IDS_LENGTH / 2)
    const proof = createHmac('sha256', key).update(ids).digest().subarray(0, PROOF_LENGTH)
    return Buffer.concat([ids, proof]).toString('base64url')
  }
  return {
    linkTo: (mandate) =>
      // A process that serves no requests may not know the public URL.
      environment === 'sandbox' && publicUrl() !== '' ? `${publicUrl()}${LINK_PATH}/${tokenOf(mandate)}` : null,
    read: (token) => {
      if (!TOKEN.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      const mandate = { merchantId: bytes.readBigInt64BE(), id: bytes.readBigInt64BE(IDS_LENGTH / 2) }
      return equalSecrets(tokenOf(mandate), token) ? mandate : undefined
    },
  }
}
