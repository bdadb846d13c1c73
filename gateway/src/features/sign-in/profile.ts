import type { getProfile, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Browser, By } from '../../core/edge/http/index.ts'
import { findMerchantId } from '../../core/merchants/index.ts'
import { audit } from '../../core/security/audit.ts'
import {
  createOperatorToken,
  endSessions,
  findPerson,
  type SignedIn,
  selectMemberships,
  selectSessions,
  updatePerson,
  updateSession,
} from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import { signInErrors } from './errors.ts'
import { checkNewPassword } from './password-rules.ts'
import { recordOf } from './records.ts'
import { countBackupCodes, deleteDevice, putPassword, selectDevices, selectSecondFactors } from './repository.ts'
import { checkPassword, type SignInDeps } from './service.ts'
import { type OwnTeam, showProfile } from './show.ts'
import { reportWithoutSignOn } from './start-session.ts'

/** Reads the user's own data. */
export async function readProfile({ core }: SignInDeps, person: SignedIn): Promise<Reply<typeof getProfile>> {
  const { db, wall } = core
  const { personId } = person
  const [secondFactors, backupCodesLeft, sessions, devices, teams] = await Promise.all([
    selectSecondFactors(db, personId),
    countBackupCodes(db, personId),
    selectSessions(db, personId, wall.now()),
    selectDevices(db, personId),
    teamsOf(core, personId),
  ])
  return showProfile(person, { secondFactors, backupCodesLeft, sessions, devices, teams })
}

/** Finds the merchants whose team a user is in. */
async function teamsOf({ db, directory }: Core, personId: bigint): Promise<readonly OwnTeam[]> {
  const memberships = await selectMemberships(db, personId)
  const teams = memberships.map(async ({ merchantId, role }) => ({ merchant: await directory.byId(merchantId), role }))
  return (await Promise.all(teams)).flatMap(({ merchant, role }) => (merchant === undefined ? [] : { merchant, role }))
}

/**
 * Returns the teams that the session can switch between. A session started by a team's identity provider reaches only
 * that team.
 */
export const reachableTeams = async ({ core }: SignInDeps, person: SignedIn): Promise<readonly OwnTeam[]> =>
  person.stage === 'in' && !person.isConfined ? teamsOf(core, person.personId) : []

export const changeName = ({ core }: SignInDeps, person: SignedIn, name: string, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    await updatePerson(unit.tx, person.personId, { name })
    audit(unit, recordOf(person, by, 'profile.change', { before: person.name, after: name }))
  })

/** Changes the password if the current one is right. All other sessions end. */
export async function changePassword(
  deps: SignInDeps,
  person: SignedIn,
  { current, password }: { readonly current: string; readonly password: string },
  browser: Browser,
  by: By,
): Promise<void> {
  const { core, passwords } = deps
  const { personId, sessionId, email } = person
  await checkPassword(deps, await findPerson(core.db, personId), email, current, browser, by.address)
  checkNewPassword(password, email)
  const hash = await passwords.hash(password, { network: networkOf(by.address), isKnown: true })
  const at = core.wall.now()
  await unitOfWork(core, async (unit) => {
    await putPassword(unit.tx, personId, hash, at)
    await endSessions(unit.tx, { personId, but: sessionId }, at)
    audit(unit, recordOf(person, by, 'password.change'))
  })
}

/** Switches the session to another team that the user belongs to. */
export async function chooseTeam({ core }: SignInDeps, person: SignedIn, code: string, by: By): Promise<void> {
  const merchantId = await findMerchantId(core.db, code)
  const memberships = await selectMemberships(core.db, person.personId)
  if (merchantId === undefined || !memberships.some((one) => one.merchantId === merchantId))
    throw signInErrors.notInTeam()
  await unitOfWork(core, async (unit) => {
    await updateSession(unit.tx, person.sessionId, { merchantId })
    audit(unit, { ...recordOf(person, by, 'team.choose'), merchantId })
    await reportWithoutSignOn(unit, merchantId, { ...person, id: person.personId })
  })
}

/** Creates an operator's token for the command line. */
export const makeOperatorToken = ({ core }: SignInDeps, person: SignedIn, by: By) =>
  unitOfWork(core, async (unit) => {
    const { token, expiresAt } = await createOperatorToken(unit, person.personId, core.wall.now())
    audit(unit, recordOf(person, by, 'operator-token.create', { expiresAt }))
    return { token, expiresAt: expiresAt.toISOString() }
  })

/** Ends one of the user's sessions, or all but the current one; returns how many. */
export const endOwnSessions = (
  { core }: SignInDeps,
  person: SignedIn,
  which: { readonly id: bigint } | { readonly but: bigint },
  by: By,
): Promise<number> =>
  unitOfWork(core, async (unit) => {
    const ended = await endSessions(unit.tx, { personId: person.personId, ...which }, core.wall.now())
    if ('id' in which && ended === 0) throw signInErrors.unknownSession()
    audit(unit, recordOf(person, by, 'session.end', { ended }))
    return ended
  })

/** Forgets a browser, which also signs it out. */
export const forgetDevice = ({ core }: SignInDeps, person: SignedIn, id: bigint, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const { personId } = person
    if (!(await deleteDevice(unit.tx, personId, id))) throw signInErrors.unknownSession()
    await endSessions(unit.tx, { personId, deviceId: id }, core.wall.now())
    audit(unit, recordOf(person, by, 'device.forget'))
  })
