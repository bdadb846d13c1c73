import * as contract from '@kobo/contract'
import { daysAfter } from '../harness/mandate-samples.ts'
import { aBatch, anItem } from '../harness/samples.ts'
import { type Act, ENDINGS, paidByTwo } from './collect.ts'
import type { Node } from './nodes.ts'
import { type Scene, type SimulatedShop, send } from './scene.ts'

/** More than a wallet holds. */
const TOO_MUCH = 50_000_000

const transfer: Act = async (scene, shop, node) => {
  const { dice, nodes } = scene
  const amount = dice.oneOf([100, 20_000.01, 3_333.33, TOO_MUCH])
  const destinationAccountNumber = `0123456${dice.oneOf(ENDINGS)}`
  const [reference, isTwice] = [scene.reference('transfer'), dice.below(3) === 0]
  const account = { accountNumber: destinationAccountNumber, bankCode: '058' }
  const holder = await send(scene, shop, node, contract.validateAccount, { query: account })
  if (holder === undefined) return 'cannot look up an account'
  const body = {
    amount,
    reference,
    narration: 'Rent for March',
    destinationBankCode: '058',
    destinationAccountNumber,
    destinationAccountName: holder.accountName,
    currency: 'NGN',
    sourceAccountNumber: shop.credentials.walletAccountNumber,
  }
  const made = { table: 'transfer', reference } as const
  const senders = isTwice ? nodes.all : [node]
  const sent = await Promise.all(
    senders.map((each) => send(scene, shop, each, contract.initiateTransfer, { body }, made)),
  )
  const taken = sent.find((one) => one !== undefined)
  if (taken?.status === 'PENDING_AUTHORIZATION')
    await authorize(scene, shop, node, reference, (authorizationCode) =>
      send(scene, shop, node, contract.authorizeTransfer, { body: { reference, authorizationCode } }),
    )
  return `sends ${amount} to ${destinationAccountNumber}${isTwice ? ', through both nodes' : ''}: ${taken?.status ?? 'no'}`
}

/** Authorizes with the code from the merchant's email. */
async function authorize(
  scene: Scene,
  shop: SimulatedShop,
  node: Node,
  reference: string,
  authorizeWith: (code: string) => Promise<unknown>,
): Promise<void> {
  const mails = (await send(scene, shop, node, contract.readInbox, { query: { limit: 20 } })) ?? []
  const mail = mails.find(({ subject }) => subject === `Authorization code for ${reference}`)
  const code = /^(\d{6}) is your code/m.exec(mail?.text ?? '')?.[1]
  if (code !== undefined) await authorizeWith(code)
}

const batch: Act = async (scene, shop, node) => {
  const { dice } = scene
  const batchReference = scene.reference('batch')
  const items = Array.from({ length: dice.times(4) }, () =>
    anItem({
      amount: dice.oneOf([100, 250.5, 9_999.99]),
      reference: scene.reference('item'),
      destinationAccountNumber: `0123456${dice.oneOf(ENDINGS)}`,
    }),
  )
  const list = dice.oneOf([items, items, [...items, ...items.slice(0, 1)]])
  const body = aBatch(shop, list, { batchReference })
  const made = { table: 'transfer_batch', reference: batchReference } as const
  const taken = await send(scene, shop, node, contract.initiateBatch, { body }, made)
  if (taken?.batchStatus === 'PENDING_AUTHORIZATION')
    await authorize(scene, shop, node, batchReference, (authorizationCode) =>
      send(scene, shop, node, contract.authorizeBatch, { body: { reference: batchReference, authorizationCode } }),
    )
  return `sends a batch of ${list.length}: ${taken?.batchStatus ?? 'no'}`
}

const refund: Act = async (scene, shop, node) => {
  const { dice, nodes } = scene
  const [known, part, isTwice] = [dice.oneOf(shop.paid), dice.times(2), dice.below(3) === 0]
  const refundReference = scene.reference('refund')
  const endings = [dice.oneOf(ENDINGS), dice.oneOf(ENDINGS)]
  const transactionReference = known ?? (await paidByTwo(scene, shop, node, endings))
  if (transactionReference === undefined) return 'has nothing to refund'
  const record = await send(scene, shop, node, contract.getTransaction, { params: { transactionReference } })
  const refundAmount = Math.max(100, Number(record?.amountPaid ?? 0) / part).toFixed(2)
  const body = {
    transactionReference,
    refundAmount,
    refundReference,
    refundReason: 'Wrong size',
    customerNote: 'Sorry!',
  }
  const made = { table: 'refund', reference: refundReference } as const
  const senders = isTwice ? nodes.all : [node]
  const all = await Promise.all(senders.map((each) => send(scene, shop, each, contract.initiateRefund, { body }, made)))
  const taken = all.find((one) => one !== undefined)
  return `refunds ${refundAmount} of ${record?.amountPaid ?? '?'}: ${taken?.refundStatus ?? 'no'}`
}

const vend: Act = async (scene, shop, node) => {
  const { dice } = scene
  const customerId = `08142223${dice.oneOf(['149', '149', '001', '002', '003'])}`
  const [amount, reference] = [dice.oneOf([100, 2_500, 49_999.99]), scene.reference('bill')]
  const body = { productCode: 'MTN-AIRTIME', customerId, amount, reference }
  const made = await send(scene, shop, node, contract.vendBill, { body }, { table: 'bill_vend', reference })
  return `pays a bill of ${amount} for ${customerId}: ${made?.vendStatus ?? 'no'}`
}

const makePaycode: Act = async (scene, shop, node) => {
  const { dice, nodes } = scene
  const [amount, days, paycodeReference] = [dice.oneOf([1_000, 5_000]), dice.times(10), scene.reference('cash')]
  const body = {
    beneficiaryName: 'Bola Ige',
    amount,
    paycodeReference,
    expiryDate: daysAfter(nodes.clock.now(), days),
    clientId: shop.credentials.apiKey,
  }
  const made = { table: 'paycode', reference: paycodeReference } as const
  const paycode = await send(scene, shop, node, contract.createPaycode, { body }, made)
  if (paycode !== undefined) shop.paycodes.push(paycodeReference)
  return `creates a paycode for ${amount}: ${paycode?.transactionStatus ?? 'no'}`
}

/** A customer redeems a paycode, or the merchant cancels it, or both at once: only one of them succeeds. */
const endPaycode: Act = async (scene, shop, node) => {
  const [paycodeReference, how] = [scene.dice.oneOf(shop.paycodes), scene.dice.oneOf(['redeem', 'cancel', 'both'])]
  if (paycodeReference === undefined) return 'has no paycode'
  const params = { paycodeReference }
  const [redeemed, cancelled] = await Promise.all([
    how === 'cancel' ? undefined : send(scene, shop, node, contract.redeemPaycode, { params }),
    how === 'redeem' ? undefined : send(scene, shop, node, contract.cancelPaycode, { params }),
  ])
  const ends = [redeemed, cancelled].flatMap((one) => one?.transactionStatus ?? [])
  if (ends.length > 1) throw new Error(`${paycodeReference} was redeemed and cancelled`)
  return `ends a paycode (${how}): ${ends}`
}

const cancel: Act = async (scene, shop, node) => {
  const transactionReference = scene.dice.oneOf(shop.transactions)
  if (transactionReference === undefined) return 'has nothing to cancel'
  await send(scene, shop, node, contract.cancelTransaction, { params: { transactionReference } })
  return `cancels ${transactionReference}`
}

/** Changes the fee terms, and the settlement account, perhaps to one that reverses everything. */
const changeTerms: Act = async (scene, shop, node) => {
  const { dice } = scene
  const body = {
    otpEnabled: dice.below(4) === 0,
    feeBearer: dice.oneOf(['MERCHANT', 'CUSTOMER'] as const),
    underpayment: dice.oneOf(['ACCEPT', 'ACCEPT', 'REJECT'] as const),
    settlement: dice.oneOf(['DAILY', 'INSTANT'] as const),
    settlementDestination: dice.oneOf(['WALLET', 'BANK'] as const),
    settlementAccount: { bankCode: '058', accountNumber: `0123456${dice.oneOf(ENDINGS)}` },
  }
  await send(scene, shop, node, contract.changeSettings, { body })
  return `changes its terms: ${JSON.stringify(body)}`
}

/** All actions that pay money out, and those that change its terms. */
export const SPEND = {
  transfer,
  batch,
  refund,
  vend,
  makePaycode,
  endPaycode,
  cancel,
  changeTerms,
}
