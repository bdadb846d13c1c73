import {
  type getSignOn,
  type Input,
  permissionsOfRole,
  type Reply,
  type setSignOn as SetSignOn,
  TEAM_CHANGE_HOURS,
} from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit } from '../../core/security/audit.ts'
import {
  deleteSignOn,
  endSignOnSessions,
  findSignOn,
  insertSignOn,
  type Member,
  type SignedIn,
  type SignOnRow,
  selectTeam,
  updateSignOn,
} from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { Refusal } from '../../kernel/errors.ts'
import { malformed } from '../../platform/http/validation.ts'
import { signOnAddress } from '../sign-in/index.ts'
import { signOnErrors } from './errors.ts'
import { redirectUriOf, type SignOnDeps, secretContext } from './service.ts'

export async function readSettings(
  { core: { db, clock }, dashboardUrl }: SignOnDeps,
  { id, code }: Merchant,
): Promise<Reply<typeof getSignOn>> {
  const row = await findSignOn(db, id)
  const from = row?.secondFactorFrom ?? null
  return {
    settings: row === undefined ? null : { ...shown(row), secondFactorFrom: waitingUntil(from, clock.now()) },
    redirectUri: redirectUriOf(dashboardUrl(), code),
    address: signOnAddress(dashboardUrl(), code),
  }
}

const waitingUntil = (from: Date | null, now: Date): string | null =>
  from !== null && from > now ? from.toISOString() : null

/** Shows all settings except the client secret. */
const shown = ({ issuer, clientId, domains, isRequired, secondFactor }: SignOnRow) => ({
  issuer,
  clientId,
  domains: [...domains],
  isRequired,
  secondFactor: [...secondFactor],
})

/**
 * Sets up or changes a team's provider, after checking that the issuer is an OpenID provider. If its issuer, client or
 * second factor changes, the sessions that it started end.
 */
export async function changeSettings(
  { core, providers, environment }: SignOnDeps,
  { id: merchantId, name }: Merchant,
  person: SignedIn,
  { clientSecret, ...requested }: Input<typeof SetSignOn>['body'],
  by: By,
): Promise<void> {
  checkIssuer(requested.issuer, environment === 'live')
  try {
    await providers.check({ merchantId, issuer: requested.issuer })
  } catch (error) {
    if (error instanceof Refusal) throw malformed('issuer', `must be an OpenID provider: ${error.message}`)
    throw error
  }
  await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const team = await selectTeam(tx, merchantId, true)
    const before = await findSignOn(tx, merchantId)
    if (before === undefined && clientSecret === undefined) throw malformed('clientSecret', 'is required')
    const row: SignOnRow = {
      ...requested,
      merchantId,
      clientSecret:
        clientSecret === undefined && before !== undefined
          ? before.clientSecret
          : core.keyring.seal(clientSecret ?? '', secretContext({ merchantId })),
      secondFactorFrom: secondFactorFrom(unit, team, person, before, requested),
      changedBy: person.personId,
      changedAt: unit.at,
    }
    if (before === undefined) insertSignOn(tx, row)
    else await updateSignOn(tx, row)
    if (before !== undefined && !isSameProvider(before, row)) await endSignOnSessions(tx, merchantId, core.wall.now())
    audit(unit, {
      ...by,
      merchantId,
      act: 'sign-on.change',
      details: { before: before === undefined ? null : shown(before), after: shown(row) },
    })
    notifyOwners(unit, team, `Single sign-on of ${name} has changed`, textOf(row, by))
  })
}

/** Rejects an issuer that is not a plain URL, since issuers are compared letter by letter. */
function checkIssuer(issuer: string, isLive: boolean): void {
  const url = URL.parse(issuer)
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || !(isLive ? ['https:'] : ['https:', 'http:']).includes(url.protocol))
    throw malformed('issuer', 'must be an https address without query')
}

type Requested = Pick<SignOnRow, 'issuer' | 'clientId' | 'secondFactor'>

const isSameProvider = (a: Requested, b: Requested): boolean =>
  a.issuer === b.issuer && a.clientId === b.clientId && String(a.secondFactor) === String(b.secondFactor)

/**
 * Returns when a change of the provider's second factor takes effect. From then on, the person who controls the
 * provider could act as any approver. So if others approve payouts, a change waits for a day, or until another owner
 * saves the same values.
 */
function secondFactorFrom(
  { at }: UnitOfWork,
  team: readonly Member[],
  { personId }: SignedIn,
  before: SignOnRow | undefined,
  requested: Requested,
): Date | null {
  if (requested.secondFactor.length === 0) return null
  const isSame = before !== undefined && isSameProvider(before, requested)
  if (isSame && before.changedBy === personId) return before.secondFactorFrom
  const isAlone = !team.some(
    (one) => one.personId !== personId && permissionsOfRole(one.role, one.approves).includes('payout.approve'),
  )
  return isSame || isAlone ? at : secondsAfter(at, TEAM_CHANGE_HOURS * 3_600)
}

const textOf = ({ issuer, domains, isRequired, secondFactor, secondFactorFrom: from }: SignOnRow, by: By): string =>
  [
    `${by.name} saved it: users with email addresses of ${domains.join(', ')} sign in through ${issuer}.`,
    isRequired ? 'Everyone but owners must use it.' : 'Passwords still work.',
    from === null
      ? 'Payouts still need each user’s own second factor.'
      : `Its second factor (${secondFactor.join(', ')}) counts for payouts from ${displayMoment(from)}.`,
  ].join(' ')

/** Turns a team's sign-on off. */
export const removeSettings = ({ core }: SignOnDeps, { id: merchantId, name }: Merchant, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const team = await selectTeam(unit.tx, merchantId, true)
    const before = await findSignOn(unit.tx, merchantId)
    if (before === undefined) throw signOnErrors.noSignOn()
    await deleteSignOn(unit.tx, merchantId)
    await endSignOnSessions(unit.tx, merchantId, core.wall.now())
    audit(unit, { ...by, merchantId, act: 'sign-on.remove', details: shown(before) })
    notifyOwners(unit, team, `Single sign-on of ${name} is off`, `${by.name} turned it off. Passwords work again.`)
  })

function notifyOwners(unit: UnitOfWork, team: readonly Member[], subject: string, change: string): void {
  const text = `${change}\n\nIf you did not expect this, sign in and change it on the team page, and contact us.`
  const owners = team.filter(({ role }) => role === 'owner')
  notify(
    unit,
    owners.map(({ merchantId, email: recipient }) => ({ merchantId, recipient, subject, text })),
  )
}
