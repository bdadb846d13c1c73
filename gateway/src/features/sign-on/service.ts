import { OPERATOR_SIGN_ON } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { type Browser, type By, SIGN_ON_SECONDS } from '../../core/edge/http/index.ts'
import { findMerchantId } from '../../core/merchants/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import type { AuditTrail } from '../../core/security/audit-trail.ts'
import type { SharedLimit } from '../../core/security/limits.ts'
import {
  FRESH_SECONDS,
  findIdentity,
  findPerson,
  findPersonByEmail,
  findSignOn,
  hashOfToken,
  insertIdentity,
  newToken,
  type PersonRow,
  passSecondFactor,
  type SignedIn,
  type SignOnRow,
  selectMemberships,
  selectSessions,
} from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import type { Environment } from '../../platform/config/config.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import { rejectIfLimited } from '../../platform/http/server.ts'
import { acceptInvitation, type BrowserTokens, byPerson, openSession, signOnAddress } from '../sign-in/index.ts'
import { signOnErrors } from './errors.ts'
import type { Provider, Providers, ProviderUser } from './providers.ts'
import { type AttemptRow, insertAttempt, useAttempt } from './repository.ts'

export interface SignOnDeps {
  readonly core: Core
  readonly environment: Environment
  readonly dashboardUrl: () => string
  readonly trail: AuditTrail
  readonly providers: Providers
  /** Counts sign-ons that are started, by network. */
  readonly started: SharedLimit
}

/** Returns the encryption context of a client secret, which binds the secret to its row. */
export const secretContext = ({ merchantId }: Pick<SignOnRow, 'merchantId'>): string => `sign-on/${merchantId}`

/** Finds a team's provider by the team's code. */
async function findProvider({ core, providers }: SignOnDeps, code: string): Promise<Provider> {
  const merchantId = code === OPERATOR_SIGN_ON ? undefined : await findMerchantId(core.db, code)
  const row = merchantId === undefined ? undefined : await findSignOn(core.db, merchantId)
  if (row !== undefined) {
    const { secondFactorFrom, clientSecret, ...rest } = row
    const isFactorInEffect = secondFactorFrom !== null && secondFactorFrom <= core.clock.now()
    return {
      ...rest,
      clientSecret: hidden(core.keyring.open(clientSecret, secretContext(row))),
      secondFactor: isFactorInEffect ? rest.secondFactor : [],
    }
  }
  if (code !== OPERATOR_SIGN_ON || providers.operator === undefined) throw signOnErrors.noSignOn()
  return providers.operator
}

/** Returns the URL to which a provider sends the browser: one per team, so that providers cannot be mixed up. */
export const redirectUriOf = (dashboardUrl: string, code: string): string =>
  `${signOnAddress(dashboardUrl, code)}/callback`

type Purpose = Partial<Pick<AttemptRow, 'linkHash' | 'sessionId'>>

/** Starts a sign-on; returns the URL at which the user signs in. Only this browser's token can finish it. */
export async function startSignOn(
  deps: SignOnDeps,
  code: string,
  { linkHash = null, sessionId = null }: Purpose,
  browser: Browser,
  address: string,
): Promise<{ readonly url: string }> {
  const { core, providers, dashboardUrl, started } = deps
  rejectIfLimited(await started.count(networkOf(address), address))
  const provider = await findProvider(deps, code)
  const { merchantId } = provider
  if (sessionId !== null && provider.secondFactor.length === 0) throw signOnErrors.noSignOn()
  const { token, hash } = newToken()
  const underWay = { provider, redirectUri: redirectUriOf(dashboardUrl(), code), token }
  const url = await providers.signInUrl(underWay, sessionId !== null)
  const expiresAt = secondsAfter(core.wall.now(), SIGN_ON_SECONDS)
  await unitOfWork(core, async ({ tx }) =>
    insertAttempt(tx, { tokenHash: hash, merchantId, linkHash, sessionId, expiresAt }),
  )
  browser.keepSignOn(token)
  return { url }
}

/** Finishes a sign-on with the provider's response. The attempt is used up first, so it cannot be finished twice. */
export async function finishSignOn(
  deps: SignOnDeps,
  { code, query }: { readonly code: string; readonly query: string },
  browser: Browser,
  address: string,
): Promise<BrowserTokens> {
  const { core, providers, dashboardUrl, trail } = deps
  const provider = await findProvider(deps, code)
  const { merchantId } = provider
  const token = browser.signOn
  browser.keepSignOn(undefined)
  const attempt =
    token === undefined
      ? undefined
      : await unitOfWork(core, ({ tx }) => useAttempt(tx, merchantId, hashOfToken(token), core.wall.now()))
  if (token === undefined || attempt === undefined)
    throw signOnErrors.signOnRejected('it was not started in this browser, or took too long. Start again')
  try {
    const redirectUri = redirectUriOf(dashboardUrl(), code)
    const user = await providers.readUser({ provider, redirectUri, token }, query)
    return await unitOfWork(core, (unit) => enter(deps, unit, provider, attempt, user, browser, address))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = { issuer: provider.issuer, reason: error.message }
    await trail({ actor: 'gateway', address, merchantId, act: 'sign-on.refused', details })
    throw error
  }
}

/** Starts a session for the provider's user, or confirms an action in that user's session. */
async function enter(
  deps: SignOnDeps,
  unit: UnitOfWork,
  provider: Provider,
  attempt: AttemptRow,
  user: ProviderUser,
  browser: Browser,
  address: string,
): Promise<BrowserTokens> {
  const { merchantId } = provider
  const { person, isNew } = await findUser(deps, unit, provider, attempt, user, address)
  checkDomain(provider, person)
  const by = byPerson(person, address)
  if (attempt.sessionId !== null) return confirm(deps, unit, attempt.sessionId, person, user, by)
  return openSession(deps, unit, person, {
    browser,
    by,
    way: 'sign-on',
    ...(merchantId === NO_MERCHANT ? {} : { merchantId }),
    secondFactorAt: user.secondFactorAt ?? null,
    signOn: merchantId,
    isConfined: !isNew,
  })
}

/**
 * Finds the member whom the provider has signed in, by the provider's id for the user or, the first time, by the
 * verified email address. Only an invitation makes a user a member.
 */
async function findUser(
  deps: SignOnDeps,
  unit: UnitOfWork,
  provider: Provider,
  { linkHash }: AttemptRow,
  { subject, email, name }: ProviderUser,
  address: string,
): Promise<{ readonly person: PersonRow; readonly isNew: boolean }> {
  const { merchantId, issuer } = provider
  const identity = { merchantId, issuer, subject }
  const known = await findIdentity(unit.tx, identity)
  const knownPerson = known === undefined ? undefined : await findPerson(unit.tx, known.personId)
  if (knownPerson !== undefined && (await isMember(unit, merchantId, knownPerson)))
    return { person: knownPerson, isNew: false }
  if (email === undefined)
    throw signOnErrors.signOnRejected('your identity provider does not say that it has verified your email address')
  checkDomain(provider, { email })
  const found =
    linkHash === null
      ? { person: await findPersonByEmail(unit.tx, email), isNew: false }
      : await acceptInvitation(deps, unit, { linkHash, merchantId, email, name: name || email }, address)
  const { person, isNew } = found
  if (person === undefined || !(await isMember(unit, merchantId, person)))
    throw signOnErrors.signOnRejected('no one with your email address is in this team. Ask an owner to invite you')
  if (!(await insertIdentity(unit.tx, { ...identity, personId: person.id, createdAt: deps.core.wall.now() })))
    throw signOnErrors.signOnRejected(
      'your email address belongs to another user of your identity provider. Ask an owner to remove and invite you again',
    )
  audit(unit, { ...byPerson(person, address), merchantId, act: 'sign-on.link', details: { issuer, subject } })
  return { person, isNew }
}

const isMember = async ({ tx }: UnitOfWork, merchantId: bigint, person: PersonRow): Promise<boolean> =>
  merchantId === NO_MERCHANT
    ? person.operatorRole !== null
    : (await selectMemberships(tx, person.id)).some((one) => one.merchantId === merchantId)

function checkDomain({ domains }: Provider, { email }: { readonly email: string }): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!domains.includes(domain))
    throw signOnErrors.signOnRejected(`email addresses of ${domain} are not allowed. Ask an owner to allow them`)
}

/**
 * Records a fresh second factor in a session that is still open, if the provider has just asked the same user for one.
 */
async function confirm(
  { core: { wall } }: SignOnDeps,
  unit: UnitOfWork,
  sessionId: bigint,
  person: PersonRow,
  { secondFactorAt }: ProviderUser,
  by: By,
): Promise<BrowserTokens> {
  if (secondFactorAt === undefined || secondFactorAt < secondsAfter(wall.now(), -FRESH_SECONDS))
    throw signOnErrors.signOnRejected('your identity provider did not ask for a second factor just now')
  const [session] = (await selectSessions(unit.tx, person.id, wall.now())).filter(({ id }) => id === sessionId)
  if (session === undefined) throw signOnErrors.signOnRejected('you confirmed as another user, or have signed out')
  const merchantId = session.merchantId ?? NO_MERCHANT
  audit(unit, { ...by, merchantId, act: 'second-factor', details: { way: 'sign-on' } })
  return { stage: 'in', session: await passSecondFactor(unit, sessionId, secondFactorAt), device: undefined }
}

/** Starts the confirmation of an action at the provider that signed the user in. */
export const startConfirmation = (
  deps: SignOnDeps,
  { sessionId, isConfirmedByProvider }: SignedIn,
  code: string | undefined,
  browser: Browser,
  address: string,
): Promise<{ readonly url: string }> => {
  if (!isConfirmedByProvider) throw signOnErrors.noSignOn()
  return startSignOn(deps, code ?? OPERATOR_SIGN_ON, { sessionId }, browser, address)
}
