import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { PartnerSettings } from '../../connector.ts'
import { cacheToken, type PartnerLine, type PartnerResponse, textAt } from '../../kit/index.ts'

const ROOT = '/iva-api/v1/merchant/virtualaccount'
/** The code for an invalid or expired token. */
const INVALID_CREDENTIAL = 'S1'

/** Calls one of the bank's services. Without a token nothing is sent. */
export type MerchantApi = (service: string, body: object) => Promise<PartnerResponse>

export function openMerchantApi({ callPartner }: PartnerLine, settings: PartnerSettings, wall: Clock): MerchantApi {
  const tokens = cacheToken(wall, async () => {
    const response = await callPartner({
      path: `${ROOT}/authenticate`,
      body: { publickey: settings.text('PUBLIC_KEY'), privatekey: settings.secret('PRIVATE_KEY').reveal() },
    })
    const token = response.kind === 'responded' ? textAt(response.body, 'access_token') : undefined
    if (response.kind !== 'responded' || token === undefined || textAt(response.body, 'code') !== '00') return undefined
    return { token, lifeSeconds: Number(textAt(response.body, 'expires_in') ?? 0) }
  })

  return async (service, body) => {
    for (const isLast of [false, true]) {
      const token = await tokens.get()
      if (token === undefined) return { kind: 'not reached' }
      const headers = { authorization: `Bearer ${token.reveal()}` }
      const response = await callPartner({ path: `${ROOT}/${service}`, body, headers })
      if (isLast || response.kind !== 'responded' || textAt(response.body, 'code') !== INVALID_CREDENTIAL)
        return response
      tokens.forget() // the bank rejected the token before it did anything, so the call is repeated
    }
    return { kind: 'not reached' }
  }
}
