import { OPERATOR_ROLES, type OperatorRole, type Role } from '@kobo/contract'
import type { Browser } from '../../core/edge/http/index.ts'
import { createMerchant, permissionsAtStart } from '../../core/onboarding.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import {
  endSessions,
  findPersonByEmail,
  hashOfToken,
  insertPerson,
  type PersonRow,
  putMembership,
  updatePerson,
} from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { kobo } from '../../kernel/money.ts'
import { malformed } from '../../platform/validation.ts'
import { type Come, comeIn } from './come-in.ts'
import { signInErrors } from './errors.ts'
import { byPerson } from './records.ts'
import { findLink, type LinkRow, putPassword, selectPassword, useLink } from './repository.ts'
import { provePassword, type SignInDeps } from './service.ts'

/** What a person gives with a link, by what it is for. */
export interface Given {
  readonly token: string
  readonly name?: string | undefined
  readonly password?: string | undefined
  readonly merchantName?: string | undefined
}

const OPENING_BALANCE = kobo(1_000_000_000n) // ten million naira of play money
/** Everywhere: whose sandbox this is knows the networks of its merchants no better than they do. */
const ANY_ADDRESS = ['0.0.0.0/0', '::/0']

/**
 * Lets in who has a link: into a team by an invitation, to a new password by a reset, to a merchant of their own by signing
 * up. A link proves the mailbox and no more: whoever has a password shows it, and a second factor comes after that.
 */
export async function takeLink(deps: SignInDeps, given: Given, browser: Browser, address: string): Promise<Come> {
  const { core, passwords } = deps
  const at = core.wall.now()
  const link = await findLink(core.db, hashOfToken(given.token), at)
  if (link === undefined) throw signInErrors.deadLink()
  const known = await findPersonByEmail(core.db, link.email)
  const hash = await newPassword(deps, link, known, given, browser, address)
  const name = known?.name ?? required(given, 'name')
  const merchantName = link.kind === 'VERIFICATION' ? required(given, 'merchantName') : undefined
  const password = hash === undefined ? undefined : await passwords.hash(hash)
  return unitOfWork(core, async (unit) => {
    const { tx } = unit
    if (!(await useLink(tx, link.tokenHash, at))) throw signInErrors.deadLink()
    const person = known ?? (await makePerson(unit, link.email, name, at))
    if (password !== undefined) await putPassword(tx, person.id, password, at)
    const by = byPerson(person, address)
    const merchantId = await enter(deps, unit, link, person, merchantName, by)
    if (link.kind === 'RESET') {
      await endSessions(tx, { personId: person.id }, at)
      audit(unit, { ...by, merchantId: NO_MERCHANT, act: 'password.reset' })
    }
    const team = merchantId === undefined ? {} : { merchantId }
    return comeIn(deps, unit, { ...person, ...roleOf(link) }, { browser, by, way: link.kind, ...team })
  })
}

const isOperatorRole = (role: Role | OperatorRole | null): role is OperatorRole =>
  OPERATOR_ROLES.some((one) => one === role)

const roleOf = ({ merchantId, role }: LinkRow): Partial<Pick<PersonRow, 'operatorRole'>> =>
  merchantId === null && isOperatorRole(role) ? { operatorRole: role } : {}

/** The password that is to be set, where one is; refuses a wrong one of who has one and comes by an invitation. */
async function newPassword(
  deps: SignInDeps,
  { kind, email }: LinkRow,
  known: PersonRow | undefined,
  given: Given,
  browser: Browser,
  address: string,
): Promise<string | undefined> {
  if (kind === 'VERIFICATION' && known !== undefined) throw signInErrors.deadLink()
  if (kind === 'SIGN_IN') return undefined
  const password = required(given, 'password')
  const hasPassword = known !== undefined && (await selectPassword(deps.core.db, known.id)) !== undefined
  if (kind === 'RESET' || !hasPassword) return password
  await provePassword(deps, known, email, password, browser, address)
  return undefined
}

function required(given: Given, field: 'name' | 'password' | 'merchantName'): string {
  const value = given[field]
  if (value === undefined) throw malformed(field, 'is required')
  return value
}

async function makePerson({ tx, ids }: UnitOfWork, email: string, name: string, at: Date): Promise<PersonRow> {
  const person = { id: ids.id(), email, name, operatorRole: null, createdAt: at }
  if (!(await insertPerson(tx, person))) throw signInErrors.deadLink()
  return { ...person, emailKey: email.toLowerCase() }
}

/** Makes of the person what the link says; answers for which merchant they act. */
async function enter(
  { core, environment }: SignInDeps,
  unit: UnitOfWork,
  link: LinkRow,
  { id: personId, email }: PersonRow,
  merchantName: string | undefined,
  by: ReturnType<typeof byPerson>,
): Promise<bigint | undefined> {
  const createdAt = core.wall.now()
  const { merchantId, role, approves } = link
  if (merchantName !== undefined) {
    const wanted = { name: merchantName, email, environment, ipWhitelist: ANY_ADDRESS, by }
    const permissions = permissionsAtStart(environment)
    const id = await createMerchant(unit, core.keyring, { ...wanted, permissions, openingBalance: OPENING_BALANCE })
    await putMembership(unit.tx, { merchantId: id, personId, role: 'owner', approves: true, createdAt })
    return id
  }
  if (link.kind !== 'INVITATION' || role === null) return merchantId ?? undefined
  audit(unit, { ...by, merchantId: merchantId ?? NO_MERCHANT, act: 'team.join', details: { role, approves } })
  if (merchantId === null) {
    if (isOperatorRole(role)) await updatePerson(unit.tx, personId, { operatorRole: role })
    return undefined
  }
  if (!isOperatorRole(role)) await putMembership(unit.tx, { merchantId, personId, role, approves, createdAt })
  return merchantId
}
