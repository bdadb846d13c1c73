import type { OperatorRole, Role } from '@kobo/contract'
import { newToken } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { insertLink, type LinkRow, voidLinks } from './repository.ts'

/** How long a link is valid, by its purpose. */
const LINK_SECONDS: Readonly<Record<LinkRow['kind'], number>> = {
  INVITATION: 7 * 86_400,
  RESET: 3_600,
  VERIFICATION: 86_400,
  SIGN_IN: 86_400,
}

export interface NewLink extends Pick<LinkRow, 'kind' | 'email'> {
  readonly merchantId?: bigint
  readonly role?: Role | OperatorRole
  readonly approves?: boolean
  readonly invitedBy?: bigint
  /** When the link is created, in real time. */
  readonly at: Date
}

/**
 * Creates a link and returns its id and its token, which is not stored. The new link replaces earlier links of its kind
 * to the same address; an invitation replaces only invitations to the same team.
 */
export async function createLink(
  unit: UnitOfWork,
  requested: NewLink,
): Promise<{ readonly id: bigint; readonly token: string }> {
  const { kind, email, merchantId, role, approves = false, invitedBy, at } = requested
  const { token, hash } = newToken()
  const id = unit.ids.id()
  await voidLinks(unit.tx, { kind, email, merchantId: merchantId ?? null }, at)
  insertLink(unit.tx, {
    tokenHash: hash,
    id,
    kind,
    email,
    merchantId: merchantId ?? null,
    role: role ?? null,
    approves,
    invitedBy: invitedBy ?? null,
    createdAt: at,
    expiresAt: secondsAfter(at, LINK_SECONDS[kind]),
    usedAt: null,
  })
  return { id, token }
}

/** Returns a link's URL. The token is in the fragment, which browsers do not send to any server. */
export const linkAddress = (baseUrl: string, token: string): string => `${baseUrl}/dashboard/link#${token}`

/** Returns the URL where a team signs in with single sign-on. */
export const signOnAddress = (baseUrl: string, code: string): string => `${baseUrl}/dashboard/sign-on/${code}`

const DAYS = 86_400
const HOURS = 3_600

export function linkMail(
  kind: LinkRow['kind'],
  address: string,
  merchant: string | undefined,
): { subject: string; text: string } {
  const seconds = LINK_SECONDS[kind]
  const term = seconds >= 2 * DAYS ? `${seconds / DAYS} days` : `${seconds / HOURS} hour${seconds === HOURS ? '' : 's'}`
  const { subject, reason } = {
    INVITATION: {
      subject: `You are invited to ${merchant ?? 'Kobo'}`,
      reason: `You are invited to join ${merchant ?? 'the operator team'} in the Kobo dashboard.`,
    },
    RESET: {
      subject: 'Reset your password',
      reason:
        'Someone, probably you, asked to reset your password for the Kobo dashboard. This link lets you set a new one.',
    },
    VERIFICATION: { subject: 'Your Kobo account', reason: 'This link creates your account in the Kobo dashboard.' },
    SIGN_IN: { subject: 'Sign in', reason: 'This link signs you in to the Kobo dashboard.' },
  }[kind]
  return {
    subject,
    text: [
      'Hello,',
      '',
      reason,
      '',
      address,
      '',
      `The link works once and expires in ${term}. If you did not expect it, ignore this mail.`,
      '',
    ].join('\n'),
  }
}
