import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { PartnerSettings } from '../../connector.ts'
import { keepToken, type PartnerLine, type Said, textAt } from '../../kit/index.ts'

const ROOT = '/iva-api/v1/merchant/virtualaccount'
/** What it answers where a token is not, or no longer, good. */
const INVALID_CREDENTIAL = 'S1'

/** Asks one of the bank's services by name. Where no token is to be had nothing has left us. */
export type MerchantApi = (service: string, body: object) => Promise<Said>

export function openMerchantApi({ ask }: PartnerLine, settings: PartnerSettings, wall: Clock): MerchantApi {
  const tokens = keepToken(wall, async () => {
    const said = await ask({
      path: `${ROOT}/authenticate`,
      body: { publickey: settings.text('PUBLIC_KEY'), privatekey: settings.secret('PRIVATE_KEY').reveal() },
    })
    const token = said.kind === 'answered' ? textAt(said.body, 'access_token') : undefined
    if (said.kind !== 'answered' || token === undefined || textAt(said.body, 'code') !== '00') return undefined
    return { token, lifeSeconds: Number(textAt(said.body, 'expires_in') ?? 0) }
  })

  return async (service, body) => {
    for (const isLast of [false, true]) {
      const token = await tokens.get()
      if (token === undefined) return { kind: 'not reached' }
      const headers = { authorization: `Bearer ${token.reveal()}` }
      const said = await ask({ path: `${ROOT}/${service}`, body, headers })
      if (isLast || said.kind !== 'answered' || textAt(said.body, 'code') !== INVALID_CREDENTIAL) return said
      tokens.forget() // refused before anything was done, so it may be asked again
    }
    return { kind: 'not reached' }
  }
}
