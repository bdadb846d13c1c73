import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { hashOfToken } from '../../core/sessions/index.ts'
import { setCookies } from '../sign-in/index.ts'
import { finishSignOn, type SignOnDeps, startConfirmation, startSignOn } from './service.ts'
import { changeSettings, readSettings, removeSettings } from './settings.ts'

export function signOnRoutes(serve: Serve, deps: SignOnDeps): void {
  serve(contract.startSignOn, ({ body: { code, link } }, { browser, address }) =>
    startSignOn(deps, code, link === undefined ? {} : { linkHash: hashOfToken(link) }, browser, address),
  )
  serve(contract.confirmSignOn, (_, { person, merchant, browser, address }) =>
    startConfirmation(deps, person, merchant?.code, browser, address),
  )
  serve(contract.finishSignOn, async ({ body }, { browser, address }) => {
    const signedIn = await finishSignOn(deps, body, browser, address)
    setCookies(browser, signedIn)
    return { stage: signedIn.stage }
  })
  serve(contract.getSignOn, (_, { merchant }) => readSettings(deps, merchant))
  serve(contract.setSignOn, ({ body }, { merchant, person, by }) =>
    done(changeSettings(deps, merchant, person, body, by)),
  )
  serve(contract.removeSignOn, (_, { merchant, by }) => done(removeSettings(deps, merchant, by)))
}
