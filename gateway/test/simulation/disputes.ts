import * as contract from '@kobo/contract'
import type { Act } from './collect.ts'
import { send } from './scene.ts'

/** How a dispute ends, if it does. With `at once`, the merchant and the partner end it at the same time. */
const ENDS = ['stays open', 'won', 'lost', 'accepted', 'contested', 'at once'] as const

/**
 * A payer disputes a payment, in full or in part. The dispute ends only once, even if two parties end it at the same
 * time.
 */
const dispute: Act = async (scene, shop, node) => {
  const { dice } = scene
  const [transactionReference, end] = [dice.oneOf(shop.paid), dice.oneOf(ENDS)]
  const [disputeType, isPart] = [dice.oneOf(contract.DISPUTE_TYPES), dice.below(2) === 0]
  if (transactionReference === undefined) return 'has nothing to dispute'
  const body = { transactionReference, disputeType, ...(isPart && { disputeAmount: '20' }) }
  const opened = await send(scene, shop, node, contract.openSandboxDispute, { body })
  if (opened === undefined) return 'is spared a dispute'
  const params = { disputeReference: opened.disputeReference }
  const decide = (outcome: 'WON' | 'LOST') =>
    send(scene, shop, node, contract.decideSandboxDispute, { params, body: { outcome } })
  const accept = () => send(scene, shop, node, contract.acceptDispute, { params })
  const contest = () => send(scene, shop, node, contract.submitEvidence, { params, body: { text: 'It was delivered' } })
  const ways = {
    'stays open': [],
    won: [() => decide('WON')],
    lost: [() => decide('LOST')],
    accepted: [accept],
    contested: [contest],
    'at once': [() => decide('WON'), accept, contest],
  }
  const ended = await Promise.all(ways[end].map((act) => act()))
  return `loses ${opened.disputeAmount} to a dispute (${end}): ${ended.map((one) => (one === undefined ? 'no' : 'yes'))}`
}

/** All actions of payers and partners that take collected money back. */
export const DISPUTE = { dispute }
