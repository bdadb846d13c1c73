import type { RefusalCode } from './api.ts'

/** The gateway said no, and why. Nothing has changed by the call. */
export class Refused extends Error {
  readonly status: number
  /** What programs go by: `WRONG_OTP`. The message is for people. Undefined where a gateway of another kind answered. */
  readonly code: RefusalCode | undefined
  readonly responseCode: string
  /** Names the request to the gateway's operator. */
  readonly requestId: string | undefined

  constructor(
    message: string,
    about: { status: number; code: RefusalCode | undefined; responseCode: string; requestId: string | undefined },
  ) {
    super(message)
    this.name = 'Refused'
    this.status = about.status
    this.code = about.code
    this.responseCode = about.responseCode
    this.requestId = about.requestId
  }
}

/** The gateway did not answer, or what answered was not the gateway. Whether the call was carried out is not known. */
export class NoAnswer extends Error {
  /** Where something answered all the same, its status: 502 of a proxy. */
  readonly status: number | undefined
  /** Call again with it to learn what became of the first: it is carried out once. Undefined where the call takes none. */
  readonly idempotencyKey: string | undefined

  constructor(
    message: string,
    about: { cause?: unknown; status?: number | undefined; idempotencyKey?: string | undefined },
  ) {
    super(message, { cause: about.cause })
    this.name = 'NoAnswer'
    this.status = about.status
    this.idempotencyKey = about.idempotencyKey
  }
}
