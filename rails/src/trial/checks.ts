import { isDeepStrictEqual } from 'node:util'
import { compileCheck } from '@kobo/gateway/platform/validation.ts'
import { can, type Manifest, OPERATIONS } from '@kobo/gateway/rails/protocol/index.ts'
import { aReturn, enquiriesOf, newReference, orderOf, type Send, sendsOf, transferTo } from './sends.ts'
import { type Heard, SIGNATURES, type Unsound, type Wire } from './wire.ts'

/** What a check has found that must not be. */
export class Failed extends Error {}
/** Why a check could not be made. */
export class Skipped extends Error {}

export interface Check {
  /** What an adapter must do. */
  readonly title: string
  /** What becomes of money where it does not. */
  readonly why: string
  /** Throws what it has found, where that is wrong. */
  readonly run: (wire: Wire, manifest: Manifest) => Promise<void>
}

const REPEATS = 5
const NAMES = 20

/** Every check, by name. What is checked of the manifest itself stands in index.ts. */
export const CHECKS: Readonly<Record<string, Check>> = {
  answers: {
    title: 'Every question gets an answer of the protocol, in time',
    why: 'What is not answered, or otherwise, counts as unknown: the payment hangs until it is asked about, for days in the worst case.',
    run: async (wire, manifest) => {
      for (const { operation, request } of [...enquiriesOf(manifest), ...firstSends(manifest)])
        checkFits(operation, await wire.ask(operation, request))
    },
  },
  'signed answers': {
    title: 'Every answer is signed, over its own question',
    why: 'Whoever stands between could say that a transfer has failed which went through, or hand over the answer to another.',
    run: async (wire, manifest) => {
      const asked = [{ operation: 'manifest', request: {} }, ...enquiriesOf(manifest), ...firstSends(manifest)]
      for (const { operation, request } of asked) {
        const { isSigned, status } = await wire.ask(operation, request)
        if (status === 200 && !isSigned) throw new Failed(`the answer to ${operation} is not signed as it must be`)
      }
    },
  },
  'who may ask': {
    title: 'Only who holds the secret is believed, for what was signed, and while it is fresh',
    why: 'Anyone who reaches the adapter could send money.',
    run: async (wire, manifest) => {
      const { operation, request } = harmless(manifest)
      for (const how of Object.keys(SIGNATURES) as Unsound[]) {
        const { status } = await wire.askUnsoundly(how, operation, request)
        if (status === 200) throw new Failed(`it answers a question that comes ${SIGNATURES[how]}`)
      }
    },
  },
  'heard before': {
    title: 'A question that was heard before is refused',
    why: 'Whoever has overheard one could send it again.',
    run: async (wire, manifest) => {
      const { operation, request } = harmless(manifest)
      if ((await wire.askAgain(operation, request)).status === 200)
        throw new Failed('the same question, to the letter, is answered twice')
    },
  },
  'one effect': {
    title: 'A reference that is sent again has one effect',
    why: 'A send may arrive twice by a proxy’s fault: money would leave twice.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const reference = newReference()
        const once = send.request(reference)
        const first = await outcome(wire, send.operation, once)
        const again = await Promise.all(Array.from({ length: REPEATS }, () => outcome(wire, send.operation, once)))
        const other = await outcome(wire, send.operation, send.request(reference, (manifest.trial?.amount ?? 0) + 1))
        const told = [first, ...again, other]
        const [known = first, ...others] = told.filter((answer) => isTold(send, answer))
        for (const answer of others)
          if (!isDeepStrictEqual(answer, known))
            throw new Failed(`${send.operation} under one reference answers ${shown(known)}, then ${shown(answer)}`)
        if (others.length + 1 < told.length)
          throw new Skipped(
            `${send.operation} does not always tell what became of a reference: whether it was done once cannot be seen`,
          )
      }),
  },
  'lost answers': {
    title: 'What was answered, and perhaps not heard, is told again when asked for',
    why: 'A transfer whose answer was lost would be taken for one that never was, and be sent again.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const reference = newReference()
        const sent = await outcome(wire, send.operation, send.request(reference))
        if (sent['kind'] === 'not sent') return // another check's
        const found = await outcome(wire, send.find, orderOf(reference))
        if (!isTold(send, found)) throw new Skipped(`${send.find} does not know what became of it`)
        const wasKnown = sent['kind'] !== 'unknown'
        if (wasKnown ? !isDeepStrictEqual(found, sent) : found['kind'] === 'not found')
          throw new Failed(`${send.operation} answers ${shown(sent)}, but ${send.find} ${shown(found)}`)
      }),
  },
  'not found': {
    title: 'What was not found is never carried out, even if it arrives later',
    why: 'Kobo sends again what was not found: if the first then arrives, money leaves twice.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const reference = newReference()
        const found = await outcome(wire, send.find, orderOf(reference))
        if (!isTold(send, found)) return // it promises nothing
        if (found['kind'] !== 'not found') throw new Failed(`${send.find} knows a reference that nobody sent`)
        const late = await outcome(wire, send.operation, send.request(reference))
        if (late['kind'] === send.done)
          throw new Failed(`${send.find} answers “not found”, and ${send.operation} then carries it out`)
      }),
  },
  unknown: {
    title: 'What nobody knows is unknown, and not failed',
    why: 'Kobo gives the money of a failed transfer back: if it went through after all, it is paid twice.',
    run: async (wire, manifest) => {
      const { transfer, amount } = manifest.trial ?? {}
      if (transfer?.unknownAccountNumber === undefined || amount === undefined || !can(manifest, 'transfers'))
        throw new Skipped('the manifest names no account for that (trial.transfer.unknownAccountNumber)')
      const send = transferTo(transfer.bankCode, transfer.unknownAccountNumber, amount)
      const { kind } = await outcome(wire, send.operation, send.request(newReference()))
      if (kind === 'failed') throw new Failed('a transfer whose end the bank does not know is said to have failed')
    },
  },
  'not sent': {
    title: 'What was not sent is not found, and is not sent later',
    why: 'Kobo has another partner send it at once: if it leaves here too, it is paid twice.',
    run: async (wire, manifest) => {
      const { transfer, amount } = manifest.trial ?? {}
      if (transfer?.unreachedBankCode === undefined || amount === undefined || !can(manifest, 'transfers'))
        throw new Skipped('the manifest names no bank that it does not reach (trial.transfer.unreachedBankCode)')
      const send = transferTo(transfer.unreachedBankCode, transfer.accountNumber, amount)
      const reference = newReference()
      const first = await outcome(wire, send.operation, send.request(reference))
      if (first['kind'] !== 'not sent') throw new Failed(`what it does not reach is answered ${shown(first)}`)
      const found = await outcome(wire, send.find, orderOf(reference))
      if (found['kind'] !== 'not found' && found['kind'] !== 'unknown')
        throw new Failed(`${send.operation} answers “not sent”, but ${send.find} ${shown(found)}`)
      const again = await outcome(wire, send.operation, send.request(reference))
      if (again['kind'] === send.done)
        throw new Failed('it answers “not sent”, and carries it out when it is asked again')
    },
  },
  amount: {
    title: 'What is sent is what was asked for, to the kobo',
    why: 'The books would say another amount than left the bank.',
    run: async (wire, manifest) => {
      const send = sendsOf(manifest).find(({ operation }) => operation === 'transfer/send')
      const asked = manifest.trial?.amount
      if (send === undefined) throw new Skipped('the manifest names no account for a transfer (trial.transfer)')
      const reference = newReference()
      await outcome(wire, send.operation, send.request(reference))
      const { amount } = await outcome(wire, send.find, orderOf(reference))
      if (amount === undefined) throw new Skipped('the answers do not tell an amount')
      if (amount !== asked) throw new Failed(`asked for ${asked} kobo, it has sent ${amount}`)
    },
  },
  names: {
    title: 'Each movement of money has a name of its own',
    why: 'By its session id a payment is found at the bank: two under one name cannot be told apart.',
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
    title: 'A credit goes back once, whatever it is asked under',
    why: 'A payer would be paid twice, out of our money.',
    run: async (wire, manifest) => {
      const { credit, amount = 1 } = manifest.trial ?? {}
      if (credit === undefined || !can(manifest, 'returns'))
        throw new Skipped('the manifest sends no credits back, or names no account for it (trial.credit)')
      const railReference = newReference()
      const ask = () => outcome(wire, 'account/send-back', aReturn(credit, newReference(), railReference, amount))
      const [first, second] = [await ask(), await ask()]
      if (first['kind'] !== 'succeeded') throw new Skipped(`a credit is not sent back: ${shown(first)}`)
      if (second['kind'] === 'unknown') throw new Skipped('what became of it the second time is not told')
      if (second['kind'] !== 'failed') throw new Failed(`a credit that has gone back is answered ${shown(second)}`)
    },
  },
  unsupported: {
    title: 'What it does not say that it can do, it does not do, and says so',
    why: 'Kobo would never ask about it, and nobody would know what became of it.',
    run: async (wire, manifest) => {
      const undeclared = Object.entries(OPERATIONS).filter(([, { capability }]) => !can(manifest, capability))
      for (const operation of ['trial/no-such-thing', ...undeclared.map(([name]) => name)]) {
        const { status, answer } = await wire.ask(operation, orderOf(newReference()))
        if (status !== 200 || answer?.['kind'] !== 'unsupported')
          throw new Failed(`${operation} is answered ${status} ${shown(answer ?? {})}, not “unsupported”`)
      }
    },
  },
  malformed: {
    title: 'What is malformed is refused',
    why: 'Half a question must not move money.',
    run: (wire, manifest) =>
      eachSend(manifest, async (send) => {
        const sound = JSON.stringify(send.request(newReference()))
        const wrongly = [
          sound.replace(/"amount":\d+/, '"amount":"1"'),
          sound.replace(/"reference":"[^"]+"/, '"reference":1'),
        ]
        for (const body of [sound.slice(0, -1), '[]', '{}', ...wrongly.filter((one) => one !== sound)]) {
          const { status } = await wire.ask(send.operation, body)
          if (status === 200) throw new Failed(`${send.operation} answers 200 to what is malformed`)
        }
      }),
  },
}

/** A question that changes nothing, whoever answers it. */
function harmless(manifest: Manifest): { readonly operation: string; readonly request: object } {
  const [send] = sendsOf(manifest)
  const [enquiry] = enquiriesOf(manifest)
  if (send !== undefined) return { operation: send.find, request: orderOf(newReference()) }
  if (enquiry === undefined) throw new Skipped('the manifest allows no question')
  return enquiry
}

const firstSends = (manifest: Manifest) =>
  sendsOf(manifest).map(({ operation, request }) => ({ operation, request: request(newReference()) }))

/** Whether an answer says what became of a send: who does not know, or gives it up, promises nothing. */
const isTold = ({ givenUp }: Send, { kind }: Readonly<Record<string, unknown>>): boolean =>
  kind !== 'unknown' && kind !== givenUp

/** Makes a check with each send; what could not be made with one is told once all others have passed. */
async function eachSend(manifest: Manifest, run: (send: Send) => Promise<void>): Promise<void> {
  const sends = sendsOf(manifest)
  if (sends.length === 0) throw new Skipped('the manifest names nothing that may be sent at trial')
  const skipped: string[] = []
  for (const send of sends)
    await run(send).catch((error: Error) => {
      if (!(error instanceof Skipped)) throw error
      skipped.push(error.message)
    })
  if (skipped.length > 0) throw new Skipped(skipped.join('; '))
}

/** What came of a question; a check that rests on it is not made where there is no answer to rest on. */
async function outcome(wire: Wire, operation: string, request: object): Promise<Readonly<Record<string, unknown>>> {
  const { status, answer } = await wire.ask(operation, request)
  if (status !== 200 || answer === undefined) throw new Skipped(`${operation} gives no answer to rest on`)
  return answer
}

function checkFits(operation: string, { status, answer, reason }: Heard): void {
  if (status !== 200)
    throw new Failed(`${operation} ${status === null ? `is not answered: ${reason}` : `is answered ${status}`}`)
  if (answer === undefined) throw new Failed(`${operation} is answered by what is no JSON object`)
  const answers = OPERATIONS[operation]?.answers
  const wrong = answers === undefined ? undefined : compileCheck(answers, 'body')(answer)
  if (wrong !== undefined) throw new Failed(`${operation} is answered ${shown(answer)}, which is not of the protocol`)
}

const SHOWN_LENGTH_MAX = 200
const shown = (answer: object): string => JSON.stringify(answer).slice(0, SHOWN_LENGTH_MAX)
