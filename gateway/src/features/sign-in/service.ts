import { type lookAtLink as LookAtLink, OPERATOR_SIGN_ON, type Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Browser, By } from '../../core/edge/http/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { audit, NO_MERCHANT, unknownName } from '../../core/security/audit.ts'
import type { AuditTrail } from '../../core/security/audit-trail.ts'
import {
  emailKeyOf,
  endSessions,
  findPersonByEmail,
  findSignOn,
  hashOfToken,
  type OperatorSignOn,
  type PersonRow,
  passSecondFactor,
  type SignedIn,
  selectMemberships,
} from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import type { Environment } from '../../platform/config/config.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import type { Log } from '../../platform/observability/log.ts'
import { signInErrors } from './errors.ts'
import type { SignInGuard } from './guard.ts'
import { createLink, linkAddress, linkMail, signOnAddress } from './links.ts'
import type { Passwords } from './passwords.ts'
import { byPerson, recordOf } from './records.ts'
import { findLink, selectPassword } from './repository.ts'
import { useCode } from './second-factors.ts'
import { type BrowserTokens, knownDevice, openSession, rememberDevice } from './start-session.ts'

export interface SignInDeps {
  readonly core: Core
  readonly environment: Environment
  readonly dashboardUrl: () => string
  readonly mailer: Mailer
  readonly trail: AuditTrail
  readonly log: Log
  readonly guard: SignInGuard
  readonly passwords: Passwords
  readonly providers: { readonly operator: OperatorSignOn | undefined }
}

/** Signs in by email address and password. Neither the response nor its timing reveals whether the address exists. */
export async function signIn(
  deps: SignInDeps,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
  address: string,
): Promise<BrowserTokens> {
  const person = await findPersonByEmail(deps.core.db, email)
  await checkPassword(deps, person, email, password, browser, address)
  if (person === undefined) throw signInErrors.wrongSignIn()
  return unitOfWork(deps.core, (unit) =>
    openSession(deps, unit, person, { browser, by: byPerson(person, address), way: 'password' }),
  )
}

/** Rejects a wrong password, and a caller with too many wrong ones. */
export async function checkPassword(
  { core, guard, passwords, trail }: SignInDeps,
  person: Pick<PersonRow, 'id' | 'email'> | undefined,
  email: string,
  password: string,
  browser: Browser,
  address: string,
): Promise<void> {
  const device = (await knownDevice(core, person?.id, browser))?.id
  const by: By =
    person === undefined
      ? { actor: 'gateway', name: unknownName(core.keyring, emailKeyOf(email)), address }
      : byPerson(person, address)
  const rejected = { ...by, merchantId: NO_MERCHANT, act: 'sign-in.refused' }
  const isRight = await guard.tryPassword({ email, device, address, rejected }, async () => {
    const hash = person === undefined ? undefined : await selectPassword(core.db, person.id)
    const waiter = { network: networkOf(address), isKnown: device !== undefined }
    return (await passwords.matches(password, hash, waiter)) && person !== undefined ? true : undefined
  })
  if (isRight) return
  const [team] = person === undefined ? [] : await selectMemberships(core.db, person.id)
  await trail({ ...rejected, merchantId: team?.merchantId ?? NO_MERCHANT })
  throw signInErrors.wrongSignIn()
}

/** Accepts a code as the second factor, once, to sign in or to confirm an action. The session gets a new token. */
export async function verifySecondFactor(
  { core, guard, trail }: SignInDeps,
  person: SignedIn,
  code: string,
  browser: Browser,
  by: By,
): Promise<BrowserTokens> {
  const { personId, sessionId, deviceId } = person
  const at = core.wall.now()
  const signedIn = await guard.trySecondFactor(person, by.address, () =>
    unitOfWork(core, async (unit): Promise<BrowserTokens | undefined> => {
      const way = await useCode(core, unit, personId, code)
      if (way === undefined) return undefined
      audit(unit, recordOf(person, by, 'second-factor', { way }))
      const session = await passSecondFactor(unit, sessionId, at)
      return { stage: 'in', session, device: await rememberDevice(unit, { personId, deviceId }, browser, at) }
    }),
  )
  if (signedIn === undefined) {
    await trail(recordOf(person, by, 'second-factor.refused'))
    throw signInErrors.wrongSecondFactor()
  }
  await guard.unlock(person, by.address)
  return signedIn
}

export const signOut = ({ core }: SignInDeps, person: SignedIn, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    await endSessions(unit.tx, { personId: person.personId, id: person.sessionId }, core.wall.now())
    audit(unit, recordOf(person, by, 'sign-out'))
  })

/**
 * Creates a link to sign up as a merchant of the sandbox. It is mailed, or returned if no mail server is configured. An
 * address with an account gets a link by mail to reset its password instead, and the response is the same.
 */
export async function signUp(
  deps: SignInDeps,
  email: string,
  address: string,
): Promise<{ readonly link: string | null }> {
  await deps.guard.countLink(email, address)
  if (!deps.mailer.hasServer) return { link: await mailSignUp(deps, email, address) }
  afterResponse(deps, () => mailSignUp(deps, email, address))
  return { link: null }
}

/** Mails the link, or returns it if no mail server is configured. */
async function mailSignUp(deps: SignInDeps, email: string, address: string): Promise<string | null> {
  const { core, mailer, dashboardUrl } = deps
  if ((await findPersonByEmail(core.db, email)) !== undefined) {
    await mailReset(deps, email, address)
    return null
  }
  const at = core.wall.now()
  const { token } = await unitOfWork(core, (unit) => createLink(unit, { kind: 'VERIFICATION', email, at }))
  const link = linkAddress(dashboardUrl(), token)
  if (!mailer.hasServer) return link
  await mailer.send({
    merchantId: NO_MERCHANT,
    to: email,
    isPrivate: true,
    ...linkMail('VERIFICATION', link, undefined),
  })
  return null
}

/**
 * Mails a link to reset the password, if the address has an account. The response does not wait for it, so its timing
 * does not reveal whether there is one.
 */
export async function requestReset(deps: SignInDeps, email: string, address: string): Promise<void> {
  await deps.guard.countLink(email, address)
  afterResponse(deps, () => mailReset(deps, email, address))
}

/** Runs work without waiting for it: the time that it takes would reveal whether the address has an account. */
function afterResponse({ log }: SignInDeps, work: () => Promise<unknown>): void {
  work().catch((error: unknown) => log.error({ error }, 'sign-in link not mailed'))
}

async function mailReset(deps: SignInDeps, email: string, address: string): Promise<void> {
  const { core, mailer, dashboardUrl } = deps
  const person = await findPersonByEmail(core.db, email)
  if (person === undefined) return
  const at = core.wall.now()
  const [team] = await selectMemberships(core.db, person.id)
  const merchantId = team?.merchantId ?? NO_MERCHANT
  const { token } = await unitOfWork(core, (unit) => {
    audit(unit, { ...byPerson(person, address), merchantId, act: 'password.reset-asked' })
    return createLink(unit, { kind: 'RESET', email: person.email, at })
  })
  const { subject, text } = linkMail('RESET', linkAddress(dashboardUrl(), token), undefined)
  await mailer.send({
    merchantId,
    to: person.email,
    isPrivate: true,
    subject,
    text: text + (await signOnText(deps, person)),
  })
}

/** The single sign-on addresses of a user’s teams. The reset mail lists them, because some users can sign in only there. */
async function signOnText({ core, dashboardUrl, providers }: SignInDeps, person: PersonRow): Promise<string> {
  const teams = await selectMemberships(core.db, person.id)
  const codes = await Promise.all(
    teams.map(async ({ merchantId }) =>
      (await findSignOn(core.db, merchantId)) === undefined
        ? []
        : [(await core.directory.byId(merchantId))?.code ?? []],
    ),
  )
  const isOperator = person.operatorRole !== null && providers.operator !== undefined
  const all = [...codes.flat(2), ...(isOperator ? [OPERATOR_SIGN_ON] : [])]
  return all.map((code) => `\nSingle sign-on: ${signOnAddress(dashboardUrl(), code)}\n`).join('')
}

export async function readLink({ core, providers }: SignInDeps, token: string): Promise<Reply<typeof LookAtLink>> {
  const link = await findLink(core.db, hashOfToken(token), core.wall.now())
  if (link === undefined) throw signInErrors.deadLink()
  const { kind, email, merchantId, role } = link
  const merchant = merchantId === null ? undefined : await core.directory.byId(merchantId)
  const person = await findPersonByEmail(core.db, email)
  const isKnown = person !== undefined && (await selectPassword(core.db, person.id)) !== undefined
  const rules = merchantId === null ? providers.operator : await findSignOn(core.db, merchantId)
  const isRequired = rules?.isRequired === true && role !== 'owner'
  const signOn =
    kind === 'INVITATION' && rules !== undefined ? { code: merchant?.code ?? OPERATOR_SIGN_ON, isRequired } : null
  return { kind, email, merchant: merchant?.name ?? null, role, isKnown, signOn }
}
