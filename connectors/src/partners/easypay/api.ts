import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { PartnerSettings } from '../../connector.ts'
import { cacheToken, type PartnerLine, type PartnerResponse, textAt } from '../../kit/index.ts'

const ROOT = '/nipservice/v1/nip'
const UNAUTHORIZED = 401
const LIFE_SECONDS_STANDARD = 300

/** Calls one of the services. Without a token nothing is sent. */
export type EasyPayApi = (service: 'nameenquiry' | 'fundstransfer' | 'tsq', body: object) => Promise<PartnerResponse>

export function openEasyPayApi({ callPartner }: PartnerLine, settings: PartnerSettings, wall: Clock): EasyPayApi {
  const tokens = cacheToken(wall, async () => {
    const response = await callPartner({
      path: settings.text('TOKEN_PATH'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: settings.text('CLIENT_ID'),
        client_secret: settings.secret('CLIENT_SECRET').reveal(),
        grant_type: 'client_credentials',
        scope: settings.text('SCOPE'),
      }).toString(),
    })
    const token = response.kind === 'responded' ? textAt(response.body, 'access_token') : undefined
    if (response.kind !== 'responded' || token === undefined) return undefined
    return { token, lifeSeconds: Number(textAt(response.body, 'expires_in') ?? LIFE_SECONDS_STANDARD) }
  })

  return async (service, body) => {
    for (const isLast of [false, true]) {
      const token = await tokens.get()
      if (token === undefined) return { kind: 'not reached' }
      const headers = { authorization: `Bearer ${token.reveal()}` }
      const response = await callPartner({ path: `${ROOT}/${service}`, body, headers })
      if (isLast || response.kind === 'not reached' || response.status !== UNAUTHORIZED) return response
      tokens.forget() // the token was rejected before processing, so the call is repeated
    }
    return { kind: 'not reached' }
  }
}
