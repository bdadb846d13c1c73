import assert from 'node:assert/strict'
import { hidden } from '../../src/kernel/hidden.ts'
import { signRequest } from '../../src/rails/protocol/index.ts'
import type { BankCredit } from '../bookkeeper/check-books.ts'
import { sendRequest } from '../harness/send-request.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'
import type { Node, Nodes } from './nodes.ts'
import { PARTNER } from './partners.ts'

/** A payment to one of our account numbers. */
export interface Credit {
  readonly railReference: string
  readonly bankCode: string
  readonly accountNumber: string
  /** In kobo. */
  readonly amount: number
  readonly payer: { readonly name: string; readonly accountNumber?: string; readonly bankCode?: string }
  readonly arrivedAt?: string
}

export type Verdict = 'accepted' | 'held' | 'conflict'

/** The banks of our account numbers: they notify us of each credit until they get a response. */
export interface Bank {
  /** Sends the notification of a credit; undefined if there was no response. */
  readonly notify: (node: Node, merchantId: bigint, credit: Credit) => Promise<Verdict | undefined>
  /** Stores a credit without notifying us yet. */
  readonly keepQuiet: (merchantId: bigint, credit: Credit) => void
  /** Repeats the notifications of an account's credits that had a response; returns how many. */
  readonly repeat: (node: Node, accountNumber: string) => Promise<number>
  /** Sends contradictory facts under the reference of a credit that had a response. */
  readonly contradict: (node: Node, credit: Credit) => Promise<void>
  /** Repeats every notification without a response. */
  readonly repeatUnanswered: (node: Node) => Promise<void>
  /** A merchant's accepted credits by these banks' own books, in kobo. */
  readonly acceptedTotal: (merchantId: bigint) => bigint
  /** A merchant's rejected or unmatched credits, which must be returned. */
  readonly held: (merchantId: bigint) => readonly Credit[]
  /** All credits that have arrived, by these banks' own books. */
  readonly arrived: () => readonly BankCredit[]
}

interface Notified {
  readonly merchantId: bigint
  readonly credit: Credit
  verdict: Verdict | undefined
}

export function bank({ wall }: Nodes): Bank {
  const all = new Map<string, Notified>()

  async function send(node: Node, credit: Credit): Promise<Verdict | undefined> {
    const body = JSON.stringify(credit)
    const signed = signRequest({ secret: hidden(RAILS_SECRET) }, wall, { operation: 'credits', body })
    const headers = { 'content-type': 'application/json', ...signed.headers }
    const response = await sendRequest({ method: 'POST', url: `${node.url}/rails/credits`, headers, body }).catch(
      () => undefined,
    )
    if (response?.status === 200) return (JSON.parse(response.text) as { kind: Verdict }).kind
    assert.ok(
      node.trouble !== undefined || response?.status === 503,
      `a credit at the ${node.name} node: ${response?.text ?? 'no response'}`,
    )
    return undefined
  }

  async function notify(node: Node, merchantId: bigint, credit: Credit): Promise<Verdict | undefined> {
    const notified = all.get(credit.railReference) ?? { merchantId, credit, verdict: undefined }
    all.set(credit.railReference, notified)
    const verdict = await send(node, credit)
    if (verdict === undefined) return undefined
    assert.ok(
      notified.verdict === undefined || notified.verdict === verdict,
      `${credit.railReference}: ${notified.verdict}, ${verdict}`,
    )
    notified.verdict = verdict
    return verdict
  }

  const credits = (merchantId: bigint, verdict: Verdict): readonly Credit[] =>
    [...all.values()]
      .filter((notified) => notified.merchantId === merchantId && notified.verdict === verdict)
      .map(({ credit }) => credit)

  return {
    notify: notify,
    keepQuiet: (merchantId, credit) => void all.set(credit.railReference, { merchantId, credit, verdict: undefined }),
    repeat: async (node, accountNumber) => {
      const known = [...all.values()].filter(
        ({ credit, verdict }) => credit.accountNumber === accountNumber && verdict !== undefined,
      )
      for (const { merchantId, credit } of known) await notify(node, merchantId, credit)
      return known.length
    },
    contradict: async (node, credit) => {
      if (all.get(credit.railReference)?.verdict === undefined) return
      const verdict = await send(node, credit)
      assert.ok(verdict === undefined || verdict === 'conflict', `${credit.railReference} contradicted: ${verdict}`)
    },
    repeatUnanswered: async (node) => {
      for (const { merchantId, credit, verdict } of all.values())
        if (verdict === undefined) await notify(node, merchantId, credit)
    },
    acceptedTotal: (merchantId) =>
      credits(merchantId, 'accepted').reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    held: (merchantId) => credits(merchantId, 'held'),
    arrived: () =>
      [...all.values()].map(({ credit: { railReference, bankCode, accountNumber, amount } }) => ({
        partner: PARTNER,
        bankCode,
        reference: railReference,
        accountNumber,
        amount: BigInt(amount),
      })),
  }
}
