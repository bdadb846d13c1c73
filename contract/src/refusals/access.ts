import type { RoutePermission } from '../permissions.ts'
import { type Refusal, refusals } from '../refusal.ts'

const addressNotAllowed = {
  code: 'ADDRESS_NOT_ALLOWED',
  status: 403,
  text: 'Requests from this IP address are not allowed: add it to the IP whitelist',
  cause: 'The caller’s IP address is not on the merchant’s whitelist.',
} as const

/** Errors that reject a caller. */
export const accessRefusals = refusals({
  missingToken: {
    code: 'MISSING_TOKEN',
    status: 401,
    text: 'Access token is missing: send the header Authorization: Bearer <access token>',
    cause: 'The Authorization header is missing or has no bearer token.',
  },
  malformedToken: {
    code: 'INVALID_TOKEN',
    status: 401,
    text: 'Access token is not valid: log in again',
    cause: 'Kobo did not issue this access token.',
  },
  expiredToken: {
    code: 'EXPIRED_TOKEN',
    status: 401,
    text: 'Access token has expired: log in again',
    cause: 'The access token is more than an hour old.',
  },
  missingCredentials: {
    code: 'MISSING_CREDENTIALS',
    status: 401,
    text: 'Authorization header is missing: send Basic base64(apiKey:secretKey)',
    cause: 'The Authorization header is missing.',
  },
  // One error for both an unknown key and a wrong secret, so that it does not reveal which keys exist.
  invalidCredentials: {
    code: 'INVALID_CREDENTIALS',
    status: 401,
    text: 'Invalid API key or secret key',
    cause: 'The API key does not exist, or the secret key does not match it.',
  },
  invalidSignature: {
    code: 'INVALID_SIGNATURE',
    status: 401,
    text: 'Signature is missing, wrong or too old',
    cause: 'The credit notification was not signed with the operator’s adapter key.',
  },
  addressNotAllowed,
  /** Transfers use their own `responseCode`. */
  addressNotAllowedToTransfer: { ...addressNotAllowed, responseCode: 'D06' },
  suspended: {
    code: 'MERCHANT_SUSPENDED',
    status: 403,
    text: 'This merchant is suspended: contact the operator',
    cause: 'The operator has suspended or closed the merchant.',
  },
  scopeMissing: {
    code: 'SCOPE_MISSING',
    status: 403,
    text: 'This API key does not have the scope {scope}: use a key that has it',
    cause: 'The restricted API key lacks the scope that the route, or a field of the request, needs.',
  },
  anotherApiKey: {
    code: 'ANOTHER_API_KEY',
    status: 400,
    text: 'apiKey must be the API key of the caller',
    cause: 'The API key in the body is not the one the access token was issued for.',
  },
})

/** The text is prescribed by Monnify's API; the code says which permission is missing. */
const notPermitted = <const Code extends string>(code: Code, permission: RoutePermission) =>
  ({
    code,
    status: 403,
    text: 'Merchant is not permitted to perform this operation',
    cause: `The merchant does not have the \`${permission}\` permission.`,
  }) as const

/** The errors for missing merchant permissions, by permission. */
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

/** Errors that reject a user of the dashboard. */
export const personRefusals = refusals({
  notSignedIn: {
    code: 'NOT_SIGNED_IN',
    status: 401,
    text: 'Please sign in',
    cause: 'The request has no session, or the session has ended.',
  },
  secondFactorNeeded: {
    code: 'SECOND_FACTOR_NEEDED',
    status: 401,
    text: 'Please confirm your second factor',
    cause: 'The session has not passed the second factor yet.',
  },
  secondFactorMissing: {
    code: 'SECOND_FACTOR_MISSING',
    status: 403,
    text: 'Please set up a second factor first',
    cause:
      'The user has no second factor. Live mode requires one for everything; the sandbox requires one for actions that need a fresh confirmation.',
  },
  notFresh: {
    code: 'SECOND_FACTOR_NOT_FRESH',
    status: 403,
    text: 'Please confirm this with your second factor',
    cause: 'The user last confirmed the second factor more than five minutes ago.',
  },
  signOnRequired: {
    code: 'SIGN_ON_REQUIRED',
    status: 403,
    text: 'Your team signs in through its identity provider: use single sign-on',
    cause: 'The team requires single sign-on, and the user signed in with a password, a passkey or a link.',
  },
  ownSignInNeeded: {
    code: 'OWN_SIGN_IN_NEEDED',
    status: 403,
    text: 'Single sign-on gives access to your team, not to your account: to change your account, sign in with an emailed link',
    cause:
      'A team’s identity provider signed the user in. It must not change their password, second factors or other teams.',
  },
  roleNotAllowed: {
    code: 'ROLE_NOT_ALLOWED',
    status: 403,
    text: 'Your role does not allow this',
    cause: 'The user’s role does not have the permission this route needs.',
  },
  fieldNotAllowed: {
    code: 'FIELD_NOT_ALLOWED',
    status: 403,
    text: 'Your role does not allow {field}: leave it out, or ask an owner',
    cause: 'The field needs a permission that the user’s role does not have.',
  },
  secondPersonNeeded: {
    code: 'SECOND_PERSON_NEEDED',
    status: 403,
    text: 'Another approver of your team must approve this first. It waits under Approvals: repeat it within a day of their approval',
    cause:
      'With this action one user alone could move money out. A team with another approver needs two people for it.',
  },
  personalDataNotAllowed: {
    code: 'PERSONAL_DATA_NOT_ALLOWED',
    status: 403,
    text: 'Your role cannot search by customers’ personal data. Leave out {field}',
    cause: 'The user’s role sees customers’ names, addresses and numbers masked, so it cannot search by them.',
  },
  crossSite: {
    code: 'CROSS_SITE',
    status: 403,
    text: 'This request did not come from the dashboard: reload the page and try again',
    cause: 'Another site sent the request, or the Kobo-Csrf header does not match the session.',
  },
})
