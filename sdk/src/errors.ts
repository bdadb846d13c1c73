import type { RefusalCode } from './api.ts'

/** The gateway rejected the call, which changed nothing. */
export class Refused extends Error {
  declare readonly status: number
  /** The error code for programs, such as `WRONG_OTP`; undefined if another kind of gateway responded. */
  declare readonly code: RefusalCode | undefined
  declare readonly responseCode: string
  /** The ID of the request, to quote to the gateway's operator. */
  declare readonly requestId: string | undefined

  constructor(message: string, about: Pick<Refused, 'status' | 'code' | 'responseCode' | 'requestId'>) {
    super(message)
    this.name = 'Refused'
    Object.assign(this, about)
  }
}

/** There was no response from the gateway, so it is unknown whether the call took effect. */
export class NoResponse extends Error {
  /** The status of a response from something else, such as 502 from a proxy. */
  readonly status: number | undefined
  /** Retry with this key to get the outcome without a second effect; undefined if the call accepts none. */
  readonly idempotencyKey: string | undefined

  constructor(
    message: string,
    about: { cause?: unknown; status?: number | undefined; idempotencyKey?: string | undefined },
  ) {
    super(message, { cause: about.cause })
    this.name = 'NoResponse'
    this.status = about.status
    this.idempotencyKey = about.idempotencyKey
  }
}
