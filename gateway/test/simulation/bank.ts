import assert from 'node:assert/strict'
import { hidden } from '../../src/kernel/hidden.ts'
import { signQuestion } from '../../src/rails/protocol/index.ts'
import { ask } from '../harness/ask.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'
import type { Node, Nodes } from './nodes.ts'

/** Money that a payer sends to one of our account numbers. */
export interface Credit {
  readonly railReference: string
  readonly bankCode: string
  readonly accountNumber: string
  /** Kobo. */
  readonly amount: number
  readonly payer: { readonly name: string; readonly accountNumber?: string; readonly bankCode?: string }
}

export type Verdict = 'accepted' | 'held' | 'conflict'

/** The banks at which our account numbers are: they tell of each credit until somebody answers. */
export interface Bank {
  /** Tells of a credit; undefined where nobody answered. */
  readonly tell: (node: Node, merchantId: bigint, credit: Credit) => Promise<Verdict | undefined>
  /** Tells something else under the reference of a credit that was kept. */
  readonly contradict: (node: Node, credit: Credit) => Promise<void>
  /** Tells again of all that nobody has answered. */
  readonly tellAgain: (node: Node) => Promise<void>
  /** What our merchants' money at these banks is by their own books: what was kept, in kobo. */
  readonly kept: (merchantId: bigint) => bigint
  /** What came for a merchant and was not taken, or for nobody: to be sent back. */
  readonly held: (merchantId: bigint) => readonly Credit[]
}

interface Told {
  readonly merchantId: bigint
  readonly credit: Credit
  verdict: Verdict | undefined
}

export function bank({ wall }: Nodes): Bank {
  const all = new Map<string, Told>()

  async function send(node: Node, credit: Credit): Promise<Verdict | undefined> {
    const body = JSON.stringify(credit)
    const signed = signQuestion({ secret: hidden(RAILS_SECRET) }, wall, { operation: 'credits', body })
    const headers = { 'content-type': 'application/json', ...signed.headers }
    const answer = await ask({ method: 'POST', url: `${node.url}/rails/credits`, headers, body }).catch(() => undefined)
    if (answer?.status === 200) return (JSON.parse(answer.text) as { kind: Verdict }).kind
    assert.ok(
      node.trouble !== undefined || answer?.status === 503,
      `a credit at the ${node.name} node: ${answer?.text ?? 'no answer'}`,
    )
    return undefined
  }

  async function tell(node: Node, merchantId: bigint, credit: Credit): Promise<Verdict | undefined> {
    const told = all.get(credit.railReference) ?? { merchantId, credit, verdict: undefined }
    all.set(credit.railReference, told)
    const verdict = await send(node, credit)
    if (verdict === undefined) return undefined
    assert.ok(
      told.verdict === undefined || told.verdict === verdict,
      `${credit.railReference}: ${told.verdict}, ${verdict}`,
    )
    told.verdict = verdict
    return verdict
  }

  const credits = (merchantId: bigint, verdict: Verdict): readonly Credit[] =>
    [...all.values()]
      .filter((told) => told.merchantId === merchantId && told.verdict === verdict)
      .map(({ credit }) => credit)

  return {
    tell,
    contradict: async (node, credit) => {
      if (all.get(credit.railReference)?.verdict !== 'accepted') return
      const verdict = await send(node, credit)
      assert.ok(verdict === undefined || verdict === 'conflict', `${credit.railReference} contradicted: ${verdict}`)
    },
    tellAgain: async (node) => {
      for (const { merchantId, credit, verdict } of all.values())
        if (verdict === undefined) await tell(node, merchantId, credit)
    },
    kept: (merchantId) => credits(merchantId, 'accepted').reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    held: (merchantId) => credits(merchantId, 'held'),
  }
}
