import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import { type Merchant, rotateSecret, signingSecret, validSecrets } from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { secondsAfter } from '../../kernel/clock.ts'

export interface KeyDeps {
  readonly core: Core
}

/** By what a merchant's server is known; of its secret keys only when they were made, used and end. */
export function showKeys({ core }: KeyDeps, merchant: Merchant): Reply<typeof contract.getKeys> {
  const at = core.clock.now()
  const signing = signingSecret(merchant, at)
  return {
    apiKey: merchant.apiKey,
    walletAccountNumber: merchant.walletAccountNumber,
    contracts: [...merchant.contracts.values()].map(({ code, name, disabledAt }) => ({
      code,
      name,
      isDisabled: disabledAt !== null,
    })),
    secretKeys: validSecrets(merchant, at).map(({ id, createdAt, firstUsedAt, expiresAt }) => ({
      id: String(id),
      createdAt: createdAt.toISOString(),
      firstUsedAt: firstUsedAt?.toISOString() ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
      isSigning: id === signing?.id,
    })),
  }
}

/** Gives a merchant a new secret key, and tells it by mail that somebody did. */
export async function rotateKey(
  { core }: KeyDeps,
  { id }: Merchant,
  overlapHours: number,
  by: By,
): Promise<Reply<typeof contract.rotateKey>> {
  const oldValidUntil = secondsAfter(core.clock.now(), overlapHours * 3_600)
  const secretKey = await core.directory.change(id, (unit) => {
    notify(unit, [
      {
        merchantId: id,
        subject: 'A new secret key was made for your account',
        text: [
          `${by.name} has made a new secret key; those of before end at ${oldValidUntil.toISOString()}.`,
          'If that was not one of you, call us at once: somebody acts in your name.',
        ].join('\n'),
      },
    ])
    return rotateSecret(unit, core.keyring, id, oldValidUntil, by)
  })
  return { secretKey, oldValidUntil: oldValidUntil.toISOString() }
}
