import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { PartnerSettings } from '../../connector.ts'
import { keepToken, type PartnerLine, type Said, textAt } from '../../kit/index.ts'

const ROOT = '/nipservice/v1/nip'
const UNAUTHORIZED = 401
const LIFE_SECONDS_STANDARD = 300

/** Asks one of the services by name. Where no token is to be had nothing has left us. */
export type EasyPayApi = (service: 'nameenquiry' | 'fundstransfer' | 'tsq', body: object) => Promise<Said>

export function openEasyPayApi({ ask }: PartnerLine, settings: PartnerSettings, wall: Clock): EasyPayApi {
  const tokens = keepToken(wall, async () => {
    const said = await ask({
      path: settings.text('TOKEN_PATH'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: settings.text('CLIENT_ID'),
        client_secret: settings.secret('CLIENT_SECRET').reveal(),
        grant_type: 'client_credentials',
        scope: settings.text('SCOPE'),
      }).toString(),
    })
    const token = said.kind === 'answered' ? textAt(said.body, 'access_token') : undefined
    if (said.kind !== 'answered' || token === undefined) return undefined
    return { token, lifeSeconds: Number(textAt(said.body, 'expires_in') ?? LIFE_SECONDS_STANDARD) }
  })

  return async (service, body) => {
    for (const isLast of [false, true]) {
      const token = await tokens.get()
      if (token === undefined) return { kind: 'not reached' }
      const headers = { authorization: `Bearer ${token.reveal()}` }
      const said = await ask({ path: `${ROOT}/${service}`, body, headers })
      if (isLast || said.kind === 'not reached' || said.status !== UNAUTHORIZED) return said
      tokens.forget() // refused at the door, so it may be asked again
    }
    return { kind: 'not reached' }
  }
}
