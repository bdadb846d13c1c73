import type { RoutePermission } from '../permissions.ts'
import { type Refusal, refusals } from '../refusal.ts'

const addressNotAllowed = {
  code: 'ADDRESS_NOT_ALLOWED',
  status: 403,
  text: 'Calls from this IP address are not allowed',
  cause: 'The caller’s IP address is not on the merchant’s whitelist.',
} as const

/** How a caller is turned away. */
export const accessRefusals = refusals({
  missingToken: {
    code: 'MISSING_TOKEN',
    status: 401,
    text: 'Access token is missing: send the header Authorization: Bearer <access token>',
    cause: 'The header Authorization is missing, or holds no bearer token.',
  },
  malformedToken: {
    code: 'INVALID_TOKEN',
    status: 401,
    text: 'Access token is not valid',
    cause: 'The access token is not one of ours.',
  },
  expiredToken: {
    code: 'EXPIRED_TOKEN',
    status: 401,
    text: 'Access token has expired: log in again',
    cause: 'The access token is older than an hour.',
  },
  missingCredentials: {
    code: 'MISSING_CREDENTIALS',
    status: 401,
    text: 'Authorization header is missing: send Basic base64(apiKey:secretKey)',
    cause: 'The header Authorization is missing.',
  },
  // The same for an unknown key and a wrong secret: which of the two it was is nobody's business.
  invalidCredentials: {
    code: 'INVALID_CREDENTIALS',
    status: 401,
    text: 'Invalid API key or secret key',
    cause: 'There is no such API key, or the secret key is not its own.',
  },
  invalidSignature: {
    code: 'INVALID_SIGNATURE',
    status: 401,
    text: 'The signature is missing, wrong or too old',
    cause: 'The notice of a credit is not signed as the operator’s adapter signs.',
  },
  addressNotAllowed,
  /** The same for transfers, which have a code of their own for it. */
  addressNotAllowedToTransfer: { ...addressNotAllowed, responseCode: 'D06' },
  suspended: {
    code: 'MERCHANT_SUSPENDED',
    status: 403,
    text: 'This merchant is suspended',
    cause: 'The operator has suspended or closed the merchant.',
  },
  anotherApiKey: {
    code: 'ANOTHER_API_KEY',
    status: 400,
    text: 'apiKey is not that of the caller',
    cause: 'The API key in the body is not the one that the access token belongs to.',
  },
})

/** The interface gives the text; the code tells which permission it is. */
const notPermitted = <const Code extends string>(code: Code, permission: RoutePermission) =>
  ({
    code,
    status: 403,
    text: 'Merchant is not permitted to perform this operation',
    cause: `The merchant lacks the permission \`${permission}\`.`,
  }) as const

/** How a merchant is turned away who lacks a permission, by that. */
export const permissionRefusals = refusals({
  transfers: notPermitted('TRANSFERS_NOT_PERMITTED', 'transfers'),
  subAccounts: notPermitted('SUB_ACCOUNTS_NOT_PERMITTED', 'subAccounts'),
  wallets: notPermitted('WALLETS_NOT_PERMITTED', 'wallets'),
  bills: notPermitted('BILLS_NOT_PERMITTED', 'bills'),
  paycode: notPermitted('PAYCODE_NOT_PERMITTED', 'paycode'),
  refunds: notPermitted('REFUNDS_NOT_PERMITTED', 'refunds'),
  cards: notPermitted('CARDS_NOT_PERMITTED', 'cards'),
  recurring: notPermitted('RECURRING_NOT_PERMITTED', 'recurring'),
  reservedAccounts: notPermitted('RESERVED_ACCOUNTS_NOT_PERMITTED', 'reservedAccounts'),
  directDebit: notPermitted('DIRECT_DEBIT_NOT_PERMITTED', 'directDebit'),
  verification: notPermitted('VERIFICATION_NOT_PERMITTED', 'verification'),
  settings: notPermitted('SETTINGS_NOT_PERMITTED', 'settings'),
}) satisfies Readonly<Record<RoutePermission, Refusal>>

/** How a person is turned away who calls from the dashboard. */
export const personRefusals = refusals({
  notSignedIn: {
    code: 'NOT_SIGNED_IN',
    status: 401,
    text: 'Please sign in',
    cause: 'No session goes with the call, or it has ended.',
  },
  secondFactorNeeded: {
    code: 'SECOND_FACTOR_NEEDED',
    status: 401,
    text: 'Please show your second factor',
    cause: 'The session has not passed its second factor yet.',
  },
  secondFactorMissing: {
    code: 'SECOND_FACTOR_MISSING',
    status: 403,
    text: 'Please set up a second factor first',
    cause:
      'The person has no second factor: in live nothing goes without one, in the sandbox nothing that wants a fresh one.',
  },
  notFresh: {
    code: 'SECOND_FACTOR_NOT_FRESH',
    status: 403,
    text: 'Please confirm this with your second factor',
    cause: 'The person showed the second factor more than five minutes ago.',
  },
  roleNotAllowed: {
    code: 'ROLE_NOT_ALLOWED',
    status: 403,
    text: 'Your role does not allow this',
    cause: 'The person’s role lacks the permission that the route asks for.',
  },
  crossSite: {
    code: 'CROSS_SITE',
    status: 403,
    text: 'This call did not come from the dashboard',
    cause: 'A page of another site made the call, or the header Kobo-Csrf is not that of the session.',
  },
})
