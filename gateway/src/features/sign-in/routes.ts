import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { followLink } from './follow-link.ts'
import { addPasskey, newChallenge, signInWithPasskey, startPasskey, verifyPasskey } from './passkeys.ts'
import {
  changeName,
  changePassword,
  chooseTeam,
  endOwnSessions,
  forgetDevice,
  makeOperatorToken,
  reachableTeams,
  readProfile,
} from './profile.ts'
import { confirmTotp, removeSecondFactor, renewBackupCodes, startTotp } from './second-factors.ts'
import { readLink, requestReset, type SignInDeps, signIn, signOut, signUp, verifySecondFactor } from './service.ts'
import { showMe } from './show.ts'
import { setCookies } from './start-session.ts'

export function signInRoutes(serve: Serve, deps: SignInDeps): void {
  serve(contract.signInWithPassword, async ({ body }, { browser, address }) => {
    const signedIn = await signIn(deps, body, browser, address)
    setCookies(browser, signedIn)
    return { stage: signedIn.stage }
  })
  serve(contract.signUp, ({ body }, { address }) => signUp(deps, body.email, address))
  serve(contract.requestReset, ({ body }, { address }) => done(requestReset(deps, body.email, address)))
  serve(contract.lookAtLink, ({ body }) => readLink(deps, body.token))
  serve(contract.takeLink, async ({ body }, { browser, address }) => {
    const signedIn = await followLink(deps, body, browser, address)
    setCookies(browser, signedIn)
    return { stage: signedIn.stage }
  })
  serve(contract.whoAmI, async (_, { person, merchant }) =>
    showMe(person, merchant, await reachableTeams(deps, person), deps),
  )
  serve(contract.showSecondFactor, async ({ body }, { person, browser, by }) => {
    const signedIn = await verifySecondFactor(deps, person, body.code, browser, by)
    setCookies(browser, signedIn)
    return { stage: signedIn.stage }
  })
  serve(contract.askPasskey, async (_, { address }) => {
    await deps.guard.countChallenge(address)
    return newChallenge(deps)
  })
  serve(contract.signInWithPasskey, async ({ body }, { browser, address }) => {
    const signedIn = await signInWithPasskey(deps, body, browser, address)
    setCookies(browser, signedIn)
    return { stage: signedIn.stage }
  })
  serve(contract.showPasskey, async ({ body }, { person, browser, by }) => {
    const signedIn = await verifyPasskey(deps, person, body, browser, by)
    setCookies(browser, signedIn)
    return { stage: signedIn.stage }
  })
  serve(contract.signOut, async (_, { person, browser, by }) => {
    await signOut(deps, person, by)
    browser.keepSession(undefined)
    return undefined
  })
}

export function profileRoutes(serve: Serve, deps: SignInDeps): void {
  serve(contract.getProfile, (_, { person }) => readProfile(deps, person))
  serve(contract.changeProfile, ({ body }, { person, by }) => done(changeName(deps, person, body.name, by)))
  serve(contract.changePassword, ({ body }, { person, browser, by }) =>
    done(changePassword(deps, person, body, browser, by)),
  )
  serve(contract.chooseTeam, ({ body }, { person, by }) => done(chooseTeam(deps, person, body.code, by)))
  serve(contract.createOperatorToken, (_, { person, by }) => makeOperatorToken(deps, person, by))
  serve(contract.beginTotp, ({ body }, { person }) => startTotp(deps, person, body.name))
  serve(contract.confirmTotp, async ({ params, body }, { person, browser, by }) => {
    const { token, backupCodes } = await confirmTotp(deps, person, BigInt(params.id), body.code, by)
    browser.keepSession(token)
    return { backupCodes: backupCodes === null ? null : [...backupCodes] }
  })
  serve(contract.beginPasskey, (_, { person }) => startPasskey(deps, person))
  serve(contract.addPasskey, async ({ body }, { person, browser, by }) => {
    const { token, backupCodes } = await addPasskey(deps, person, body, by)
    browser.keepSession(token)
    return { backupCodes: backupCodes === null ? null : [...backupCodes] }
  })
  serve(contract.removeSecondFactor, ({ params }, { person, by }) =>
    done(removeSecondFactor(deps, person, BigInt(params.id), by)),
  )
  serve(contract.renewBackupCodes, async (_, { person, by }) => ({
    backupCodes: [...(await renewBackupCodes(deps, person, by))],
  }))
  serve(contract.endSession, ({ params }, { person, by }) =>
    done(endOwnSessions(deps, person, { id: BigInt(params.id) }, by)),
  )
  serve(contract.endOtherSessions, async (_, { person, by }) => ({
    ended: await endOwnSessions(deps, person, { but: person.sessionId }, by),
  }))
  serve(contract.forgetDevice, ({ params }, { person, by }) => done(forgetDevice(deps, person, BigInt(params.id), by)))
}
