import {
  DASHBOARD_GROUPS,
  GROUPS,
  type Group,
  idempotencyRefusals,
  permissionRefusals,
  type Refusal,
  type RefusalCode,
  requestRefusals,
} from '@kobo/contract'

/** What to do about a refusal, where that is more than its status says. */
const REMEDIES: Readonly<Partial<Record<RefusalCode, string>>> = {
  MALFORMED_FIELD: 'Mend the field that the message names.',
  INVALID_JSON: 'Send JSON as UTF-8.',
  UNKNOWN_PATH: 'Compare the path with the reference; paths of the sandbox exist in the sandbox only.',
  METHOD_NOT_ALLOWED: 'Use a method that the header Allow names.',
  UNKNOWN_HOST: 'Call by the name that KOBO_PUBLIC_URL has, or set it.',
  REQUEST_TIMEOUT: 'Send it again over a better connection.',
  BODY_TOO_LARGE: 'Send less at a time.',
  TOO_MANY_REQUESTS: 'Wait as long as Retry-After says, then send it again.',
  BUSY: 'Nothing was done: send it again after Retry-After.',
  NOT_READY: 'Nothing was done: send it again after Retry-After.',
  INTERNAL_ERROR: 'Send it again with the same Idempotency-Key; where it stays, tell the operator the x-request-id.',
  IDEMPOTENCY_KEY_REUSED: 'Take a new key for a new request, and the same body for a repeated one.',
  REQUEST_UNDER_WAY: 'Send it again after Retry-After: the answer will be that of the first.',
  MISSING_TOKEN: 'Log in, and send the accessToken as Authorization: Bearer.',
  INVALID_TOKEN: 'Log in again.',
  EXPIRED_TOKEN: 'Log in again; tokens are good for expiresIn seconds.',
  INVALID_CREDENTIALS: 'Compare both keys with those that were shown; a replaced secret key ends with its overlap.',
  ADDRESS_NOT_ALLOWED: 'Call from an address of the whitelist, or have this one added.',
  MERCHANT_SUSPENDED: 'Ask the operator.',
  DUPLICATE_PAYMENT_REFERENCE: 'Query the payment by its reference; take a new reference for a new payment.',
}

/** What to do by the status alone. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Change the request: as it is, it is refused again.',
  401: 'Log in again.',
  403: 'Ask the operator for the permission.',
  404: 'Compare the reference with the one that was answered.',
  422: 'Look at the present state, by the query of the same group, and decide by it.',
  429: 'Wait as long as Retry-After says, then send it again.',
  500: 'Send it again with the same Idempotency-Key.',
  503: 'Send it again after Retry-After.',
}

const remedyOf = ({ code, status }: Refusal): string =>
  REMEDIES[code as RefusalCode] ?? BY_STATUS[status] ?? 'Change the request: as it is, it is refused again.'

const SECTIONS: readonly (readonly [title: string, refusals: readonly Refusal[]])[] = [
  ['Every request', Object.values(requestRefusals)],
  ['Repeated requests', Object.values(idempotencyRefusals)],
  ['Permissions', Object.values(permissionRefusals)],
  ...Object.values<Group>({ ...GROUPS, ...DASHBOARD_GROUPS }).map(
    ({ title, refusals = {} }) => [title, Object.values(refusals)] as const,
  ),
]

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function section(title: string, refusals: readonly Refusal[]): string {
  const rows = refusals.map(
    (one) =>
      `| \`${one.code}\` | ${one.status} | ${one.responseCode} | ${cell(one.example ?? one.text)} | ${cell(one.cause)} | ${remedyOf(one)} |`,
  )
  return [
    `## ${title}`,
    '',
    '| code | status | responseCode | text | cause | what to do |',
    '| --- | --- | --- | --- | --- | --- |',
    ...new Set(rows),
  ].join('\n')
}

/** The page of every refusal. */
export const errorsPage = (note: string): string => `${note}

# Errors

Every way in which the gateway says no. Programs go by the code, which stands in the header \`kobo-refusal\` of every failure and never changes; the text is for people. What stands in braces is
filled in. A 5xx or no answer at all does not say whether a POST was carried out: send it again with the same \`Idempotency-Key\`.

${SECTIONS.filter(([, refusals]) => refusals.length > 0)
  .map(([title, refusals]) => section(title, refusals))
  .join('\n\n')}
`
