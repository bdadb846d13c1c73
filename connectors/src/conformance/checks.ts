import { isDeepStrictEqual } from 'node:util'
import { compileCheck } from '@kobo/gateway/platform/http/validation.ts'
import { can, type Manifest, OPERATIONS } from '@kobo/gateway/rails/protocol/index.ts'
import { aReturn, enquiriesOf, newReference, orderOf, type Send, sendsOf, transferTo } from './sends.ts'
import { type BadSignature, type Received, SIGNATURES, type Wire } from './wire.ts'

export class Failed extends Error {}
/** A check that could not run. */
export class Skipped extends Error {}

export interface Check {
  readonly title: string
  /** The consequence of a failure. */
  readonly why: string
  /** Throws if the check fails. */
  readonly run: (wire: Wire, manifest: Manifest) => Promise<void>
}

const REPEATS = 5
const NAMES = 20
/** The amounts that the protocol allows, in kobo. */
const AMOUNT_MIN = 1
const AMOUNT_MAX = 999_999_999_999_999

/** Every check by name. The manifest's own checks are in index.ts. */
export const CHECKS: Readonly<Record<string, Check>> = {
  answers: {
    title: 'Every request gets a valid response in time',
    why: 'A missing or invalid response is treated as unknown: the payment stays pending until it is queried, for days in the worst case.',
    run: async (wire, manifest) => {
      for (const { operation, request } of [...enquiriesOf(manifest), ...firstSends(manifest)])
        checkFits(operation, await wire.request(operation, request))
    },
  },
  'signed answers': {
    title: 'Every response is signed together with its request',
    why: 'An attacker in between could report a completed transfer as failed, or replay the response to another request.',
    run: async (wire, manifest) => {
      const requests = [{ operation: 'manifest', request: {} }, ...enquiriesOf(manifest), ...firstSends(manifest)]
      for (const { operation, request } of requests) {
        const { isSigned, status } = await wire.request(operation, request)
        if (status === 200 && !isSigned) throw new Failed(`the response to ${operation} is not signed correctly`)
      }
    },
  },
  'who may ask': {
    title: 'Only fresh requests that are signed with the secret are accepted',
    why: 'Anyone who reaches the adapter could send money.',
    run: async (wire, manifest) => {
      const { operation, request } = harmless(manifest)
      for (const how of Object.keys(SIGNATURES) as BadSignature[]) {
        const { status } = await wire.requestWithBadSignature(how, operation, request)
        if (status === 200) throw new Failed(`it accepts a request that is ${SIGNATURES[how]}`)
      }
    },
  },
  'heard before': {
    title: 'A replayed request is rejected',
    why: 'Anyone who intercepts a request could replay it.',
    run: async (wire, manifest) => {
      const { operation, request } = harmless(manifest)
      if ((await wire.repeat(operation, request)).status === 200)
        throw new Failed('an identical request is accepted twice')
    },
  },
  'one effect': {
    title: 'A repeated reference has one effect',
    why: 'A proxy may deliver a request twice: money would leave twice.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const reference = newReference()
        const once = send.request(reference)
        const first = await outcome(wire, send.operation, once)
        const again = await Promise.all(Array.from({ length: REPEATS }, () => outcome(wire, send.operation, once)))
        const other = await outcome(wire, send.operation, send.request(reference, (manifest.trial?.amount ?? 0) + 1))
        const responses = [first, ...again, other]
        const [known = first, ...others] = responses.filter((response) => isReported(send, response))
        for (const response of others)
          if (!isDeepStrictEqual(response, known))
            throw new Failed(`${send.operation} with one reference returns ${shown(known)}, then ${shown(response)}`)
        if (others.length + 1 < responses.length)
          throw new Skipped(
            `${send.operation} does not always return the outcome of a reference, so the check cannot tell whether the request ran once`,
          )
      }),
  },
  'lost answers': {
    title: 'A query returns an outcome whose first response may have been lost',
    why: 'Kobo would treat a transfer whose response was lost as never sent, and send it again.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const reference = newReference()
        const sent = await outcome(wire, send.operation, send.request(reference))
        if (sent['kind'] === 'not sent') return // the check 'not sent' covers this
        const found = await outcome(wire, send.find, orderOf(reference))
        if (!isReported(send, found)) throw new Skipped(`${send.find} does not know the outcome`)
        const wasKnown = sent['kind'] !== 'unknown'
        if (wasKnown ? !isDeepStrictEqual(found, sent) : found['kind'] === 'not found')
          throw new Failed(`${send.operation} answers ${shown(sent)}, but ${send.find} ${shown(found)}`)
      }),
  },
  'not found': {
    title: 'A reference reported as not found is never processed, even if it arrives later',
    why: 'Kobo sends an order again if it was not found. If the first one arrives after all, money leaves twice.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const reference = newReference()
        const found = await outcome(wire, send.find, orderOf(reference))
        if (!isReported(send, found)) return // an unknown outcome guarantees nothing
        if (found['kind'] !== 'not found') throw new Failed(`${send.find} knows a reference that was never sent`)
        const late = await outcome(wire, send.operation, send.request(reference))
        if (late['kind'] === send.done)
          throw new Failed(`${send.find} returns “not found”, and ${send.operation} then processes it`)
      }),
  },
  unknown: {
    title: 'An unknown outcome is reported as unknown, not as failed',
    why: 'Kobo returns the money of a failed transfer. If the transfer went through after all, it is paid twice.',
    run: async (wire, manifest) => {
      const { transfer, amount } = manifest.trial ?? {}
      if (transfer?.unknownAccountNumber === undefined || amount === undefined || !can(manifest, 'transfers'))
        throw new Skipped('the manifest names no account for that (trial.transfer.unknownAccountNumber)')
      const send = transferTo(transfer.bankCode, transfer.unknownAccountNumber, amount)
      const { kind } = await outcome(wire, send.operation, send.request(newReference()))
      if (kind === 'failed') throw new Failed('a transfer whose outcome the bank does not know is reported as failed')
    },
  },
  'not sent': {
    title: 'An order reported as not sent is not found, and is not sent later',
    why: 'Kobo sends the order through another partner at once. If it leaves through this one too, it is paid twice.',
    run: async (wire, manifest) => {
      const { transfer, amount } = manifest.trial ?? {}
      if (transfer?.unreachedBankCode === undefined || amount === undefined || !can(manifest, 'transfers'))
        throw new Skipped('the manifest names no bank that it does not reach (trial.transfer.unreachedBankCode)')
      const send = transferTo(transfer.unreachedBankCode, transfer.accountNumber, amount)
      const reference = newReference()
      const first = await outcome(wire, send.operation, send.request(reference))
      if (first['kind'] !== 'not sent')
        throw new Failed(`a transfer to a bank that it does not reach returns ${shown(first)}`)
      const found = await outcome(wire, send.find, orderOf(reference))
      if (found['kind'] !== 'not found' && found['kind'] !== 'unknown')
        throw new Failed(`${send.operation} returns “not sent”, but ${send.find} returns ${shown(found)}`)
      const again = await outcome(wire, send.operation, send.request(reference))
      if (again['kind'] === send.done)
        throw new Failed('it returns “not sent”, and processes the order when it is repeated')
    },
  },
  limits: {
    title: 'An amount beyond the manifest’s limits is not sent',
    why: 'An order that was not sent goes to another partner, but the money of a failed one goes back to the merchant.',
    run: async (wire, manifest) => {
      const { amountMin = AMOUNT_MIN, amountMax = AMOUNT_MAX } = manifest.limits
      const send = sendsOf(manifest).find(({ operation }) => operation === 'transfer/send')
      if (send === undefined) throw new Skipped('the manifest names no account for a transfer (trial.transfer)')
      const beyond = [amountMin - 1, amountMax + 1].filter((amount) => amount >= AMOUNT_MIN && amount <= AMOUNT_MAX)
      if (beyond.length === 0) throw new Skipped('the manifest names no limits')
      for (const amount of beyond) {
        const first = await outcome(wire, send.operation, send.request(newReference(), amount))
        if (first['kind'] !== 'not sent') throw new Failed(`a transfer of ${amount} kobo returns ${shown(first)}`)
      }
    },
  },
  amount: {
    title: 'The amount sent is the amount requested, to the kobo',
    why: 'The ledger would show a different amount than left the bank.',
    run: async (wire, manifest) => {
      const send = sendsOf(manifest).find(({ operation }) => operation === 'transfer/send')
      const trialAmount = manifest.trial?.amount
      if (send === undefined) throw new Skipped('the manifest names no account for a transfer (trial.transfer)')
      const reference = newReference()
      const sent = await outcome(wire, send.operation, send.request(reference))
      if (sent['kind'] === 'failed') throw new Failed(`the account for the trial accepts no transfer: ${shown(sent)}`)
      const { amount } = await outcome(wire, send.find, orderOf(reference))
      if (amount === undefined) throw new Skipped('the responses contain no amount')
      if (amount !== trialAmount) throw new Failed(`it sent ${amount} kobo instead of ${trialAmount}`)
    },
  },
  names: {
    title: 'Each movement of money has a unique session id',
    why: 'The bank finds a payment by its session id: two with the same id cannot be distinguished.',
    run: async (wire, manifest) => {
      const send = sendsOf(manifest).find(({ operation }) => operation === 'transfer/send')
      if (send === undefined) throw new Skipped('the manifest names no account for a transfer (trial.transfer)')
      const sent = await Promise.all(
        Array.from({ length: NAMES }, () => outcome(wire, send.operation, send.request(newReference()))),
      )
      const names = sent.flatMap(({ sessionId }) => (typeof sessionId === 'string' ? sessionId : []))
      if (new Set(names).size < names.length) throw new Failed('two transfers have the same session id')
    },
  },
  'one return': {
    title: 'A credit is returned once, under any reference',
    why: 'A customer would be paid twice, with our money.',
    run: async (wire, manifest) => {
      const { credit, amount = 1 } = manifest.trial ?? {}
      if (credit === undefined || !can(manifest, 'returns'))
        throw new Skipped('the manifest does not offer returns, or names no account for them (trial.credit)')
      const railReference = newReference()
      const request = () => outcome(wire, 'account/send-back', aReturn(credit, newReference(), railReference, amount))
      const [first, second] = [await request(), await request()]
      if (first['kind'] !== 'succeeded') throw new Skipped(`a credit is not returned: ${shown(first)}`)
      if (second['kind'] === 'unknown') throw new Skipped('the outcome of the second return is not reported')
      if (second['kind'] !== 'failed') throw new Failed(`returning a credit again returns ${shown(second)}`)
    },
  },
  unsupported: {
    title: 'Operations that the manifest does not list are rejected as unsupported',
    why: 'Kobo never queries operations that the manifest does not list, so their outcome would stay unknown.',
    run: async (wire, manifest) => {
      const undeclared = Object.entries(OPERATIONS).filter(([, { capability }]) => !can(manifest, capability))
      for (const operation of ['trial/no-such-thing', ...undeclared.map(([name]) => name)]) {
        const { status, response } = await wire.request(operation, orderOf(newReference()))
        if (status !== 200 || response?.['kind'] !== 'unsupported')
          throw new Failed(`${operation} returns ${status} ${shown(response ?? {})}, not “unsupported”`)
      }
    },
  },
  malformed: {
    title: 'Malformed requests are rejected',
    why: 'An incomplete request must not move money.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const sound = JSON.stringify(send.request(newReference()))
        const wrongly = [
          sound.replace(/"amount":\d+/, '"amount":"1"'),
          sound.replace(/"reference":"[^"]+"/, '"reference":1'),
        ]
        for (const body of [sound.slice(0, -1), '[]', '{}', ...wrongly.filter((one) => one !== sound)]) {
          const { status } = await wire.request(send.operation, body)
          if (status === 200) throw new Failed(`${send.operation} returns 200 for a malformed request`)
        }
      }),
  },
}

/** A request that changes nothing. */
function harmless(manifest: Manifest): { readonly operation: string; readonly request: object } {
  const [send] = sendsOf(manifest)
  const [enquiry] = enquiriesOf(manifest)
  if (send !== undefined) return { operation: send.find, request: orderOf(newReference()) }
  if (enquiry === undefined) throw new Skipped('the manifest allows no query')
  return enquiry
}

const firstSends = (manifest: Manifest) =>
  sendsOf(manifest).map(({ operation, request }) => ({ operation, request: request(newReference()) }))

/** Whether a response states the outcome of a send. Unknown and given-up sends have none. */
const isReported = ({ givenUp }: Send, { kind }: Readonly<Record<string, unknown>>): boolean =>
  kind !== 'unknown' && kind !== givenUp

/** Runs a check with each send. If a send cannot be checked, the check is skipped once all others have passed. */
async function eachSend(manifest: Manifest, run: (send: Send) => Promise<void>): Promise<void> {
  const sends = sendsOf(manifest)
  if (sends.length === 0) throw new Skipped('the manifest names nothing that may be sent in a trial')
  const skipped: string[] = []
  for (const send of sends)
    await run(send).catch((error: Error) => {
      if (!(error instanceof Skipped)) throw error
      skipped.push(error.message)
    })
  if (skipped.length > 0) throw new Skipped(skipped.join('; '))
}

/** Sends a request and returns its outcome. Without a definite outcome the check is skipped. */
async function outcome(wire: Wire, operation: string, request: object): Promise<Readonly<Record<string, unknown>>> {
  const { status, response } = await wire.request(operation, request)
  if (status !== 200 || response === undefined) throw new Skipped(`${operation} returns no definite outcome`)
  return response
}

function checkFits(operation: string, { status, response, reason }: Received): void {
  if (status !== 200)
    throw new Failed(`${operation} ${status === null ? `gets no response: ${reason}` : `returns ${status}`}`)
  if (response === undefined) throw new Failed(`the response to ${operation} is not a JSON object`)
  const responses = OPERATIONS[operation]?.response
  const wrong = responses === undefined ? undefined : compileCheck(responses, 'body')(response)
  if (wrong !== undefined)
    throw new Failed(`${operation} returns ${shown(response)}, which the protocol does not define`)
}

const SHOWN_LENGTH_MAX = 200
const shown = (response: object): string => JSON.stringify(response).slice(0, SHOWN_LENGTH_MAX)
