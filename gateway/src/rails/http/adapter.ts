import type { Log } from '../../platform/log.ts'
import { can, OPERATIONS } from '../protocol/index.ts'
import type { Unknown } from '../unknown.ts'
import type { Partner } from './partner.ts'
import type { Reader } from './reader.ts'

/** The operator's adapter. It never throws: where no answer can be used, nobody knows what it did. */
export interface Adapter {
  /** Has something carried out, or asks what became of that. */
  readonly order: <Answer>(
    operation: string,
    request: object,
    read: Reader<Answer>,
    /** What is answered where the partner says of itself that it cannot do so. */
    absent: () => Promise<Answer>,
  ) => Promise<Answer | Unknown>
  /** Asks for something that changes nothing. */
  readonly enquire: <Answer>(
    operation: string,
    request: object,
    read: Reader<Answer>,
  ) => Promise<Answer | { readonly kind: 'unavailable' }>
}

/** What came of asking: an answer, or why there is none. */
type Asked<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'no answer'; readonly isSilent: boolean }
  | { readonly kind: 'unable' }

export function openAdapter(partner: Partner, log: Log): Adapter {
  async function ask<Answer>(operation: string, request: object, read: Reader<Answer>): Promise<Asked<Answer>> {
    const line = partner.line() ?? (await partner.connect())
    if (line === undefined) return { kind: 'no answer', isSilent: true }
    const capability = OPERATIONS[operation]?.capability
    if (line.manifest !== undefined && capability !== undefined && !can(line.manifest, capability))
      return { kind: 'unable' }
    const { text, isSilent, ...met } = await line.ask(operation, JSON.stringify(request, wholeKobo))
    const answer = text === undefined ? undefined : read(text)
    if (answer !== undefined) return { kind: 'answered', answer }
    // Neither what was asked nor what came back: both may hold a card or a person's number.
    log.warn({ operation, ...met }, 'the rails adapter gave no answer that can be used')
    return { kind: 'no answer', isSilent }
  }
  return {
    order: async (operation, request, read, absent) => {
      const asked = await ask(operation, request, read)
      if (asked.kind === 'answered') return asked.answer
      if (asked.kind === 'unable') return absent()
      return asked.isSilent ? { kind: 'unknown', unanswered: true } : { kind: 'unknown' }
    },
    enquire: async (operation, request, read) => {
      const asked = await ask(operation, request, read)
      return asked.kind === 'answered' ? asked.answer : { kind: 'unavailable' }
    },
  }
}

/** Amounts travel as whole kobo. */
const wholeKobo = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)
