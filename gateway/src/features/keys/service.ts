import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import { type Merchant, rotateSecret, signingSecret, validSecrets } from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { type KeyDeps, listRestricted } from './restricted.ts'

/** Shows the merchant's API keys. Of a secret key, it shows only three dates: creation, first use and expiry. */
export async function showKeys(deps: KeyDeps, merchant: Merchant): Promise<Reply<typeof contract.getKeys>> {
  const at = deps.core.clock.now()
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
    restrictedKeys: await listRestricted(deps, merchant),
  }
}

/** Creates a new secret key for a merchant, and notifies it by mail. */
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
        subject: 'A new secret key was created for your account',
        text: [
          `${by.name} created a new secret key. The previous keys expire on ${displayMoment(oldValidUntil)}.`,
          'If this was not one of your team, contact us at once: someone may be using your account.',
        ].join('\n'),
      },
    ])
    return rotateSecret(unit, core.keyring, id, oldValidUntil, by)
  })
  return { secretKey, oldValidUntil: oldValidUntil.toISOString() }
}
