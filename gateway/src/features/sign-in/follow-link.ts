import { OPERATOR_ROLES, type OperatorRole, permissionsOfRole, type Role, TEAM_CHANGE_HOURS } from '@kobo/contract'
import type { Browser } from '../../core/edge/http/index.ts'
import { moneyOf } from '../../core/money/ledger/index.ts'
import { createMerchant, permissionsAtStart } from '../../core/onboarding.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import {
  emailKeyOf,
  endSessions,
  findPerson,
  findPersonByEmail,
  hashOfToken,
  insertMembership,
  insertPerson,
  type PersonRow,
  selectTeam,
  updatePerson,
} from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { kobo } from '../../kernel/money.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import { malformed } from '../../platform/http/validation.ts'
import { signInErrors } from './errors.ts'
import { checkNewPassword } from './password-rules.ts'
import { byPerson } from './records.ts'
import { findLink, type LinkRow, putPassword, selectPassword, useLink } from './repository.ts'
import { checkPassword, type SignInDeps } from './service.ts'
import { type BrowserTokens, openSession } from './start-session.ts'

/** The user's input for a link. The fields depend on the link's purpose. */
export interface LinkInput {
  readonly token: string
  readonly name?: string | undefined
  readonly password?: string | undefined
  readonly merchantName?: string | undefined
}

const OPENING_BALANCE = kobo(1_000_000_000n) // ten million naira of sandbox money
/** All addresses: a sandbox does not know its merchants' networks. */
const ANY_ADDRESS = ['0.0.0.0/0', '::/0']

/**
 * Signs in by link: an invitation adds the user to a team, a reset sets a password, a sign-up creates a merchant. A
 * link proves only the mailbox, so an existing password and a second factor are still required.
 */
export async function followLink(
  deps: SignInDeps,
  given: LinkInput,
  browser: Browser,
  address: string,
): Promise<BrowserTokens> {
  const { core, passwords } = deps
  const at = core.wall.now()
  const link = await findLink(core.db, hashOfToken(given.token), at)
  if (link === undefined) throw signInErrors.deadLink()
  const known = await findPersonByEmail(core.db, link.email)
  const password = await newPassword(deps, link, known, given, browser, address)
  const name = known?.name ?? required(given, 'name')
  const merchantName = link.kind === 'VERIFICATION' ? required(given, 'merchantName') : undefined
  const hash =
    password === undefined ? undefined : await passwords.hash(password, { network: networkOf(address), isKnown: true })
  return unitOfWork(core, async (unit) => {
    const { tx } = unit
    const { person, by, merchantId } = await useUp(deps, unit, link, { known, name, merchantName }, address)
    if (hash !== undefined) await putPassword(tx, person.id, hash, at)
    if (link.kind === 'RESET') {
      await endSessions(tx, { personId: person.id }, at)
      audit(unit, { ...by, merchantId: NO_MERCHANT, act: 'password.reset' })
    }
    const team = merchantId === undefined ? {} : { merchantId }
    return openSession(deps, unit, person, { browser, by, way: link.kind, ...team })
  })
}

interface NewUser {
  /** The user, if the address already has an account. */
  readonly known: PersonRow | undefined
  readonly name: string
  readonly merchantName?: string | undefined
}

/** Uses up a link and applies its purpose; returns its user with the new role, and the merchant to act for. */
async function useUp(
  deps: Pick<SignInDeps, 'core' | 'environment'>,
  unit: UnitOfWork,
  link: LinkRow,
  { known, name, merchantName }: NewUser,
  address: string,
) {
  const at = deps.core.wall.now()
  if (!(await useLink(unit.tx, link.tokenHash, at))) throw signInErrors.deadLink()
  const person = known ?? (await createUser(unit, link.email, name, at))
  const by = byPerson(person, address)
  const merchantId = await applyLink(deps, unit, link, person, merchantName, by)
  return { person: { ...person, ...roleOf(link) }, by, merchantId }
}

/**
 * Accepts an invitation for a user whom the team's identity provider has signed in with the invited address. Also
 * returns whether the user is new: then link and provider together prove who owns the account.
 */
export async function acceptInvitation(
  deps: Pick<SignInDeps, 'core' | 'environment'>,
  unit: UnitOfWork,
  requested: { readonly linkHash: string; readonly merchantId: bigint; readonly email: string; readonly name: string },
  address: string,
): Promise<{ readonly person: PersonRow; readonly isNew: boolean }> {
  const link = await findLink(unit.tx, requested.linkHash, deps.core.wall.now())
  if (link?.kind !== 'INVITATION' || (link.merchantId ?? NO_MERCHANT) !== requested.merchantId)
    throw signInErrors.deadLink()
  if (emailKeyOf(link.email) !== emailKeyOf(requested.email)) throw signInErrors.deadLink()
  const known = await findPersonByEmail(unit.tx, link.email)
  const { person } = await useUp(deps, unit, link, { known, name: requested.name }, address)
  return { person, isNew: known === undefined }
}

const isOperatorRole = (role: Role | OperatorRole | null): role is OperatorRole =>
  OPERATOR_ROLES.some((one) => one === role)

const roleOf = ({ merchantId, role }: LinkRow): Partial<Pick<PersonRow, 'operatorRole'>> =>
  merchantId === null && isOperatorRole(role) ? { operatorRole: role } : {}

/** Returns the password to set, if any. If an invited user already has a password, it is checked instead. */
async function newPassword(
  deps: SignInDeps,
  { kind, email }: LinkRow,
  known: PersonRow | undefined,
  given: LinkInput,
  browser: Browser,
  address: string,
): Promise<string | undefined> {
  if (kind === 'VERIFICATION' && known !== undefined) throw signInErrors.deadLink()
  if (kind === 'SIGN_IN') return undefined
  const password = required(given, 'password')
  const hasPassword = known !== undefined && (await selectPassword(deps.core.db, known.id)) !== undefined
  if (kind === 'RESET' || !hasPassword) {
    checkNewPassword(password, email)
    return password
  }
  await checkPassword(deps, known, email, password, browser, address)
  return undefined
}

function required(given: LinkInput, field: 'name' | 'password' | 'merchantName'): string {
  const value = given[field]
  if (value === undefined) throw malformed(field, 'is required')
  return value
}

async function createUser({ tx, ids }: UnitOfWork, email: string, name: string, at: Date): Promise<PersonRow> {
  const person = { id: ids.id(), email, name, operatorRole: null, createdAt: at }
  if (!(await insertPerson(tx, person))) throw signInErrors.deadLink()
  return { ...person, emailKey: email.toLowerCase() }
}

/** Applies the link's purpose; returns the merchant that the user acts for. */
async function applyLink(
  { core, environment }: Pick<SignInDeps, 'core' | 'environment'>,
  unit: UnitOfWork,
  link: LinkRow,
  { id: personId, email, operatorRole }: PersonRow,
  merchantName: string | undefined,
  by: ReturnType<typeof byPerson>,
): Promise<bigint | undefined> {
  const createdAt = core.wall.now()
  const { merchantId, role, approves, invitedBy } = link
  if (merchantName !== undefined) {
    const requested = { name: merchantName, email, environment, ipWhitelist: ANY_ADDRESS, by }
    const permissions = permissionsAtStart(environment)
    const id = await createMerchant(unit, core.keyring, { ...requested, permissions, openingBalance: OPENING_BALANCE })
    await insertMembership(unit.tx, { merchantId: id, personId, role: 'owner', approves: true, createdAt })
    return id
  }
  if (link.kind !== 'INVITATION' || role === null) return merchantId ?? undefined
  audit(unit, { ...by, merchantId: merchantId ?? NO_MERCHANT, act: 'team.join', details: { role, approves } })
  const inviter = await inviterOf(unit, link)
  if (merchantId === null) {
    // An invitation never changes the role of a user who is already an operator.
    if (operatorRole !== null || !isOperatorRole(role)) throw signInErrors.deadLink()
    await updatePerson(unit.tx, personId, { operatorRole: role })
    return undefined
  }
  if (isOperatorRole(role)) throw signInErrors.deadLink()
  // A new owner or approver waits a day before they can approve payouts. The only exception is the user at the
  // merchant's own address, as long as the merchant has no money. Later the mailbox may belong to someone else.
  const isOwnAddress =
    inviter === 'operator' && emailKeyOf((await core.directory.byId(merchantId))?.email ?? '') === emailKeyOf(email)
  const isFirst = isOwnAddress && (await moneyOf(unit.tx, merchantId)).length === 0
  const isDelayed = permissionsOfRole(role, approves).includes('payout.approve') && !isFirst
  const rightsFrom = isDelayed ? secondsAfter(unit.at, TEAM_CHANGE_HOURS * 3_600) : null
  const member = { merchantId, personId, role, approves, createdAt, rightsFrom, namedBy: invitedBy }
  if (!(await insertMembership(unit.tx, member))) throw signInErrors.deadLink()
  return merchantId
}

/** Returns who sent an invitation; rejects it if that user may no longer invite. The command line is an operator. */
async function inviterOf(
  { tx, at }: UnitOfWork,
  { merchantId, invitedBy, role, approves }: LinkRow,
): Promise<'operator' | 'member'> {
  if (invitedBy === null) return 'operator'
  const isOperator = (await findPerson(tx, invitedBy))?.operatorRole === 'operator'
  if (isOperator && (merchantId === null || role === 'owner')) return 'operator'
  const team = merchantId === null ? [] : await selectTeam(tx, merchantId)
  const inviter = team.find(({ personId }) => personId === invitedBy)
  if (inviter === undefined || role === null || isOperatorRole(role)) throw signInErrors.deadLink()
  const isWaiting = inviter.rightsFrom !== null && inviter.rightsFrom > at
  const own = permissionsOfRole(inviter.role, inviter.approves, isWaiting)
  if (!own.includes('team.manage') || !permissionsOfRole(role, approves).every((one) => own.includes(one)))
    throw signInErrors.deadLink()
  return 'member'
}
