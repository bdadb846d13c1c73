import { randomBytes } from 'node:crypto'
import type { Browser, By } from '../../core/edge/http/index.ts'
import { audit } from '../../core/security/audit.ts'
import { endSessions, findPerson, passSecondFactor, type SignedIn } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { signInErrors } from './errors.ts'
import { byPerson, recordOf } from './records.ts'
import {
  findPasskey,
  insertChallenge,
  insertSecondFactor,
  type SecondFactorRow,
  selectSecondFactors,
  useChallenge,
  usePasskey,
} from './repository.ts'
import { firstBackupCodes } from './second-factors.ts'
import type { SignInDeps } from './service.ts'
import { type BrowserTokens, openSession, rememberDevice } from './start-session.ts'
import { type Assertion, challengeIn, isValidPasskey, type NewPasskey, siteOf, verifiedCounter } from './webauthn.ts'

const CHALLENGE_BYTES = 32
const CHALLENGE_SECONDS = 300

/** Creates a challenge for a passkey to sign. It works once, within minutes, and only for the user, if one is given. */
export async function newChallenge(
  { core, dashboardUrl }: SignInDeps,
  personId?: bigint,
): Promise<{ readonly challenge: string; readonly host: string }> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const expiresAt = secondsAfter(core.wall.now(), CHALLENGE_SECONDS)
  await unitOfWork(core, async ({ tx }) => insertChallenge(tx, { challenge, personId: personId ?? null, expiresAt }))
  return { challenge, host: siteOf(dashboardUrl()).host }
}

/** Returns the options with which a browser creates a passkey. */
export async function startPasskey(deps: SignInDeps, { personId }: SignedIn) {
  const factors = await selectSecondFactors(deps.core.db, personId)
  return {
    ...(await newChallenge(deps, personId)),
    userId: Buffer.from(String(personId)).toString('base64url'),
    known: factors.flatMap(({ credentialId }) => credentialId ?? []),
  }
}

/** Adds a passkey to a user's second factors. All other sessions end, since they started without it. */
export async function addPasskey(
  { core, dashboardUrl }: SignInDeps,
  person: SignedIn,
  { name, ...passkey }: NewPasskey & { readonly name: string },
  by: By,
): Promise<{ readonly token: string; readonly backupCodes: readonly string[] | null }> {
  const { personId, sessionId } = person
  const site = siteOf(dashboardUrl())
  const at = core.wall.now()
  const challenge = challengeIn(passkey.clientData, 'webauthn.create', site)
  return unitOfWork(core, async (unit) => {
    const { tx, ids } = unit
    const isOurChallenge = challenge !== undefined && (await useChallenge(tx, challenge, personId, at))
    if (!isOurChallenge || !isValidPasskey(passkey, site)) throw signInErrors.wrongSecondFactor()
    const { credentialId, publicKey } = passkey
    if ((await findPasskey(tx, credentialId)) !== undefined) throw signInErrors.wrongSecondFactor()
    insertSecondFactor(tx, {
      personId,
      id: ids.id(),
      kind: 'PASSKEY',
      name,
      secret: null,
      lastStep: null,
      credentialId,
      publicKey,
      counter: 0n,
      createdAt: at,
      confirmedAt: at,
      lastUsedAt: null,
    })
    const backupCodes = await firstBackupCodes(unit, personId)
    await endSessions(tx, { personId, but: sessionId }, at)
    audit(unit, recordOf(person, by, 'second-factor.add', { kind: 'PASSKEY', name }))
    return { token: await passSecondFactor(unit, sessionId, at), backupCodes }
  })
}

/**
 * Finds the passkey that signed one of our challenges, and uses up the challenge. Returns undefined if the signature is
 * invalid.
 */
async function useAssertion(
  { core, dashboardUrl }: SignInDeps,
  { tx }: UnitOfWork,
  assertion: Assertion,
  personId?: bigint,
): Promise<SecondFactorRow | undefined> {
  const site = siteOf(dashboardUrl())
  const at = core.wall.now()
  const challenge = challengeIn(assertion.clientData, 'webauthn.get', site)
  if (challenge === undefined || !(await useChallenge(tx, challenge, undefined, at))) return undefined
  const passkey = await findPasskey(tx, assertion.credentialId)
  if (passkey === undefined || passkey.publicKey === null) return undefined
  if (personId !== undefined && passkey.personId !== personId) return undefined
  const counter = verifiedCounter(assertion, passkey.publicKey, site)
  if (counter === undefined) return undefined
  // A counter that does not increase means that the passkey was copied.
  const isCopy = counter > 0 && BigInt(counter) <= (passkey.counter ?? 0n)
  if (isCopy) return undefined
  await usePasskey(tx, passkey, BigInt(counter), at)
  return passkey
}

/** Signs a user in by passkey alone. It counts as both factors: it has checked a fingerprint, a face or a PIN. */
export async function signInWithPasskey(
  deps: SignInDeps,
  assertion: Assertion,
  browser: Browser,
  address: string,
): Promise<BrowserTokens> {
  const { core } = deps
  const at = core.wall.now()
  const signedIn = await unitOfWork(core, async (unit): Promise<BrowserTokens | undefined> => {
    const passkey = await useAssertion(deps, unit, assertion)
    const person = passkey === undefined ? undefined : await findPerson(unit.tx, passkey.personId)
    if (person === undefined) return undefined
    return openSession(deps, unit, person, {
      browser,
      by: byPerson(person, address),
      way: 'passkey',
      secondFactorAt: at,
    })
  })
  if (signedIn === undefined) throw signInErrors.wrongSignIn()
  return signedIn
}

/** Accepts a passkey as the second factor, to sign in or to confirm an action. */
export async function verifyPasskey(
  deps: SignInDeps,
  person: SignedIn,
  assertion: Assertion,
  browser: Browser,
  by: By,
): Promise<BrowserTokens> {
  const { core, trail, guard } = deps
  const { personId, sessionId, deviceId } = person
  const at = core.wall.now()
  const signedIn = await unitOfWork(core, async (unit): Promise<BrowserTokens | undefined> => {
    if ((await useAssertion(deps, unit, assertion, personId)) === undefined) return undefined
    audit(unit, recordOf(person, by, 'second-factor', { way: 'PASSKEY' }))
    const session = await passSecondFactor(unit, sessionId, at)
    return { stage: 'in', session, device: await rememberDevice(unit, { personId, deviceId }, browser, at) }
  })
  if (signedIn === undefined) {
    await trail(recordOf(person, by, 'second-factor.refused'))
    throw signInErrors.wrongSecondFactor()
  }
  await guard.unlock(person, by.address)
  return signedIn
}
