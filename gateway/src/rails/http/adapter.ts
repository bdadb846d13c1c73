import type { Log } from '../../platform/observability/log.ts'
import { isNotSent, type NotSent } from '../not-sent.ts'
import type { Placed } from '../partners.ts'
import { can, OPERATIONS } from '../protocol/index.ts'
import { contradictionIn, type Unknown } from '../unknown.ts'
import type { Partner } from './partner.ts'
import type { Reader } from './reader.ts'

/** A partner's connector. It never throws: if there is no usable response, the outcome is unknown. */
export interface Adapter {
  /** Sends an order. The outcome may also be that nothing was sent. */
  readonly send: <Response extends Kind>(
    operation: string,
    request: object,
    read: Reader<Response>,
  ) => Promise<Response | NotSent | Unknown>
  /** Queries an order, or sends a further step of an order, such as an OTP. */
  readonly find: <Response extends Kind>(
    operation: string,
    request: object,
    read: Reader<Response>,
  ) => Promise<Response | Unknown>
  /** Sends a request that changes nothing. */
  readonly enquire: <Response extends Kind>(
    operation: string,
    request: object,
    read: Reader<Response>,
  ) => Promise<Response | { readonly kind: 'unavailable' }>
}

interface Kind {
  readonly kind: string
}

/** The outcome of a request: a response, or why there is none. */
type Call<Response> =
  | { readonly kind: 'responded'; readonly response: Response }
  /** `isUnsent`: no byte of the request was sent. */
  | { readonly kind: 'no response'; readonly isSilent: boolean; readonly isUnsent: boolean }
  | { readonly kind: 'unable' }

/** Receives the outcome and duration of each request. */
export type OnResponse = (operation: string, response: string, seconds: number) => void

const NOT_REACHED: NotSent = { kind: 'not sent', reason: 'The partner cannot be reached', unanswered: true }

export function openAdapter(
  partner: Partner,
  log: Log,
  onResponse: OnResponse = () => {},
  /** The order's id and time, sent with every request about an order. */
  placed?: Placed,
): Adapter {
  async function call<Response extends Kind>(
    operation: string,
    request: object,
    read: Reader<Response>,
  ): Promise<Call<Response>> {
    const line = partner.line() ?? (await partner.connect())
    if (line === undefined) return { kind: 'no response', isSilent: true, isUnsent: true }
    const capability = OPERATIONS[operation]?.capability
    const isAble =
      line.manifest === undefined
        ? capability !== 'issued-accounts'
        : capability === undefined || can(line.manifest, capability)
    if (!isAble) return { kind: 'unable' } // protocol version 1 cannot open accounts
    const { text, isSilent, isUnsent, ...exchange } = await line.request(
      operation,
      JSON.stringify(line.manifest === undefined ? request : { ...request, ...placed }, wholeKobo),
    )
    const response = text === undefined ? undefined : read(text)
    const contradiction = response === undefined ? undefined : contradictionIn(response)
    // Protocol version 1 does not sign its responses, so they must cause neither a resend to another partner nor a
    // manual review.
    const isUsable =
      response !== undefined && (line.manifest !== undefined || !(isNotSent(response) || contradiction !== undefined))
    const outcome = isUsable && contradiction === undefined ? response.kind : isSilent ? 'none' : 'unusable'
    onResponse(operation, outcome, exchange.milliseconds / 1_000)
    if (isSilent) partner.doubt()
    if (!isUsable || contradiction !== undefined) {
      // Neither request nor response is logged: both may contain a card or personal data.
      const { reference } = request as { readonly reference?: string }
      const reason =
        contradiction ?? exchange.reason ?? (text === undefined ? `status ${exchange.status}` : 'not in the protocol')
      log.warn(
        { partner: partner.code(), operation, reference, ...exchange, reason },
        'rails adapter returned no usable response',
      )
    }
    return isUsable ? { kind: 'responded', response } : { kind: 'no response', isSilent, isUnsent }
  }
  return {
    send: async (operation, request, read) => {
      const result = await call(operation, request, read)
      if (result.kind === 'responded') return result.response
      if (result.kind === 'unable')
        return { kind: 'not sent', reason: UNABLE[operation] ?? 'The partner cannot do that' }
      if (result.isUnsent) return NOT_REACHED
      return result.isSilent ? { kind: 'unknown', unanswered: true } : { kind: 'unknown' }
    },
    find: async (operation, request, read) => {
      const result = await call(operation, request, read)
      if (result.kind === 'responded') return result.response
      return result.kind === 'no response' && result.isSilent
        ? { kind: 'unknown', unanswered: true }
        : { kind: 'unknown' }
    },
    enquire: async (operation, request, read) => {
      const result = await call(operation, request, read)
      return result.kind === 'responded' ? result.response : { kind: 'unavailable' }
    },
  }
}

/** Amounts are sent as whole kobo. */
const wholeKobo = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** The error text for a merchant if no partner supports the operation. */
const UNABLE: Readonly<Record<string, string>> = {
  'account/open': 'No bank is connected that issues account numbers',
  'account/send-back': 'No bank is connected',
  'transfer/send': 'No bank is connected',
  'card/charge': 'No card network is connected',
  'card/refund': 'No card network is connected',
  'debit/debit': 'No bank is connected',
  'biller/vend': 'No biller is connected',
}
