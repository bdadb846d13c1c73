import * as contract from '@kobo/contract'
import { hidden } from '../../src/kernel/hidden.ts'
import { HOUSE } from '../../src/kernel/house.ts'
import { aMandate } from '../harness/mandate-samples.ts'
import { aCard, anInvoice, aReservedAccount, aTransaction, CARDS } from '../harness/samples.ts'
import { sendRequest } from '../harness/send-request.ts'
import type { Credit } from './bank.ts'
import type { Node } from './nodes.ts'
import { type Payable, type Scene, type SimulatedShop, send } from './scene.ts'

/** An action of a merchant or its customer through a node; returns a short description of it. */
export type Act = (scene: Scene, shop: SimulatedShop, node: Node) => Promise<string>

const OTP = '123456'
const WALLET_BANK = '50515'
/**
 * The last digits of a payer's account. They decide whether a refund to it arrives, fails, arrives later, fails later
 * or is reversed.
 */
export const ENDINGS = ['789', '789', '001', '002', '003', '005'] as const

const nairaOf = ({ dice }: Scene): string => (20 + dice.below(1_000_000) / 100).toFixed(2)

/** Splits to sub accounts, if any, which may bear part of the fee. */
const splitsOf = ({ dice }: Scene, { subAccounts }: SimulatedShop) =>
  dice.oneOf([[], [], subAccounts.slice(0, 1), subAccounts]).map((subAccountCode) => ({
    subAccountCode,
    ...dice.oneOf([{}, { splitPercentage: 24.9999 }, { splitAmount: 4.99 }]),
    feeBearer: dice.oneOf([true, false]),
    feePercentage: dice.oneOf([0, 12.5, 24.9999]),
  }))

/** Opens a transaction; undefined if there was no response. */
async function open(
  scene: Scene,
  shop: SimulatedShop,
  node: Node,
  amount: string,
  splits: ReturnType<typeof splitsOf>,
) {
  const paymentReference = scene.reference('order')
  const body = aTransaction(shop, { amount, paymentReference, incomeSplitConfig: splits })
  const acknowledged = { table: 'transaction', reference: paymentReference } as const
  const opened = await send(scene, shop, node, contract.initTransaction, { body }, acknowledged)
  if (opened !== undefined) shop.transactions.push(opened.transactionReference)
  return opened?.transactionReference
}

const requestTransfer: Act = async (scene, shop, node) => {
  const [amount, splits, isUssd] = [nairaOf(scene), splitsOf(scene, shop), scene.dice.below(4) === 0]
  const transactionReference = await open(scene, shop, node, amount, splits)
  if (transactionReference === undefined) return `requests ${amount}: failed`
  const account = isUssd
    ? await send(scene, shop, node, contract.initUssd, { body: { transactionReference, bankUssdCode: '058' } })
    : await send(scene, shop, node, contract.initBankTransfer, { body: { transactionReference } })
  if (account !== undefined) shop.payables.push({ ...account, naira: account.totalPayable, isIssuable: true })
  return `requests ${amount} by ${isUssd ? 'USSD' : 'transfer'}`
}

const reserve: Act = async (scene, shop, node) => {
  const [splits, isLimited, name] = [splitsOf(scene, shop), scene.dice.below(3) === 0, scene.reference('customer')]
  const body = { ...aReservedAccount(shop, { accountReference: name }), incomeSplitConfig: splits }
  const profile = isLimited ? await limitProfile(scene, shop, node) : undefined
  const account =
    profile === undefined
      ? await send(scene, shop, node, contract.reserveAccount, { body })
      : await send(scene, shop, node, contract.reserveAccountWithLimit, {
          body: { ...body, limitProfileCode: profile },
        })
  for (const { bankCode, accountNumber } of account?.accounts ?? [])
    shop.payables.push({ bankCode, accountNumber, naira: 1_500, isIssuable: true })
  return `reserves an account${profile === undefined ? '' : ' with a limit'}`
}

async function limitProfile(scene: Scene, shop: SimulatedShop, node: Node): Promise<string | undefined> {
  const body = {
    limitProfileName: scene.reference('limit'),
    singleTransactionValue: 2_000,
    dailyTransactionValue: 4_000,
    dailyTransactionVolume: 3,
  }
  return (await send(scene, shop, node, contract.createLimitProfile, { body }))?.limitProfileCode
}

const sendInvoice: Act = async (scene, shop, node) => {
  const [amount, invoiceReference] = [nairaOf(scene), scene.reference('invoice')]
  const body = anInvoice(shop, scene.nodes.clock.now(), { amount, invoiceReference })
  const invoice = await send(scene, shop, node, contract.createInvoice, { body })
  if (invoice === undefined) return 'sends an invoice: failed'
  const { bankCode, accountNumber, transactionReference } = invoice
  shop.transactions.push(transactionReference)
  shop.payables.push({ bankCode: bankCode ?? '', accountNumber: accountNumber ?? '', naira: Number(amount) })
  return `sends an invoice of ${amount}`
}

const openWallet: Act = async (scene, shop, node) => {
  const body = {
    walletReference: scene.reference('wallet'),
    walletName: 'Savings',
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    bvnDetails: { bvn: '22212345678', bvnDateOfBirth: '1994-09-07' },
  }
  const wallet = await send(scene, shop, node, contract.createWallet, { body })
  if (wallet !== undefined) {
    shop.payables.push({ ...wallet.topUpAccountDetails, naira: 700 })
    shop.payables.push({ bankCode: WALLET_BANK, accountNumber: wallet.accountNumber, naira: 900 })
  }
  return 'opens a wallet for a customer'
}

/**
 * A customer pays. The bank may notify us twice, through both nodes at once, or later with another amount or account.
 */
const pay: Act = async (scene, shop, node) => {
  const { dice, nodes, bank, paying } = scene
  const own: Payable = { bankCode: WALLET_BANK, accountNumber: shop.credentials.walletAccountNumber, naira: 5_000 }
  const payable = dice.oneOf([...shop.payables, ...shop.payables, own])
  const { bankCode, accountNumber, naira, transactionReference } = payable
  const kobo = Math.round(naira * 100)
  const amount = Math.max(1, dice.oneOf([kobo, kobo, kobo, Math.floor(kobo / 3), kobo * 2, 1]))
  const how = dice.oneOf(['once', 'once', 'twice', 'contradicted'] as const)
  const payer = { name: 'BOLA ADE', accountNumber: `0123452${dice.oneOf(ENDINGS)}`, bankCode: '058' }
  const arrivedAt = payable.isReissued === true ? { arrivedAt: nodes.wall.now().toISOString() } : {}
  const credit: Credit = { railReference: scene.reference('FT'), bankCode, accountNumber, amount, payer, ...arrivedAt }
  const elsewhere = scene.shops
    .flatMap(({ payables }) => payables)
    .filter((one) => one.bankCode === bankCode && one.accountNumber !== accountNumber)
  const otherwise = dice.oneOf([
    { amount: amount + 7_000 },
    { accountNumber: dice.oneOf([...elsewhere.map((another) => another.accountNumber), UNASSIGNED[0]]) },
  ])
  paying.add(accountNumber)
  const notifyingPartners = how === 'twice' ? nodes.all : [node]
  const verdicts = await Promise.all(notifyingPartners.map((each) => bank.notify(each, shop.id, credit)))
  if (transactionReference !== undefined && verdicts.includes('accepted')) shop.paid.push(transactionReference)
  if (how === 'contradicted') await bank.contradict(node, { ...credit, ...otherwise })
  if (!verdicts.includes(undefined)) paying.delete(accountNumber)
  return `${(amount / 100).toFixed(2)} arrive at ${accountNumber}, reported ${how}: ${verdicts}`
}

/** Account numbers that were never assigned. */
const UNASSIGNED = ['9000000001', '9000000002', '9000000003'] as const

/** A payer mistypes a number, so the money is unmatched and returned. The bank may not know the payer. */
const payUnassigned: Act = async (scene, _, node) => {
  const { dice, nodes, bank } = scene
  const accountNumber = dice.oneOf(UNASSIGNED)
  const account = dice.oneOf([...ENDINGS, null])
  const payer = { name: 'BOLA ADE', ...(account !== null && { accountNumber: `0123453${account}`, bankCode: '058' }) }
  const credit: Credit = { railReference: scene.reference('FT'), bankCode: '011', accountNumber, amount: 70_000, payer }
  const notifyingPartners = dice.oneOf([[node], nodes.all])
  const verdicts = await Promise.all(notifyingPartners.map((each) => bank.notify(each, HOUSE, credit)))
  return `700.00 arrive at ${accountNumber}, which is not assigned: ${verdicts}`
}

/** A transaction that two payers have paid, half each; undefined if that failed. */
export async function paidByTwo(
  scene: Scene,
  shop: SimulatedShop,
  node: Node,
  endings: readonly string[],
): Promise<string | undefined> {
  const transactionReference = await open(scene, shop, node, '2000', [])
  if (transactionReference === undefined) return undefined
  const account = await send(scene, shop, node, contract.initBankTransfer, { body: { transactionReference } })
  if (account === undefined) return undefined
  const { bankCode, accountNumber, totalPayable } = account
  const half = Math.ceil(totalPayable * 50)
  for (const ending of endings) {
    const payer = { name: 'BOLA ADE', accountNumber: `0123452${ending}`, bankCode: '058' }
    const credit = { railReference: scene.reference('FT'), bankCode, accountNumber, amount: half, payer }
    if ((await scene.bank.notify(node, shop.id, credit)) === 'accepted') shop.paid.push(transactionReference)
  }
  return transactionReference
}

const chargeCard: Act = async (scene, shop, node) => {
  const { dice, partners } = scene
  const [amount, splits] = [nairaOf(scene), splitsOf(scene, shop)]
  const number = dice.oneOf(Object.values(CARDS))
  const holder = dice.oneOf(['agrees', 'agrees', 'errs', 'refuses', 'is away'] as const)
  const returns = dice.oneOf([true, false])
  const transactionReference = await open(scene, shop, node, amount, splits)
  if (transactionReference === undefined) return 'charges a card: failed'
  const card = aCard(number)
  const charged = await send(scene, shop, node, contract.chargeCard, { body: { transactionReference, card } })
  const tokenId = charged?.otpData?.id
  if (tokenId !== undefined && holder !== 'is away') {
    const token = holder === 'agrees' ? OTP : '000000'
    await send(scene, shop, node, contract.authorizeOtp, { body: { transactionReference, tokenId, token } })
  }
  const request = charged?.secure3dData?.id
  if (request !== undefined && holder !== 'is away') {
    if (holder === 'refuses') await partners.holders.refuse(request)
    else await partners.holders.approve(request, hidden(holder === 'agrees' ? OTP : '000000'))
    if (returns) await comeBack(scene, node, request)
  }
  if (charged?.status === 'SUCCESS') shop.paid.push(transactionReference)
  await readToken(scene, shop, node, transactionReference)
  return `charges card ${number.slice(-4)} ${amount}: ${charged?.status ?? 'no'}, the holder ${holder}`
}

/** The holder's browser returns from the issuer's page. */
async function comeBack({ partners }: Scene, node: Node, reference: string): Promise<void> {
  const url = partners.returnUrls.get(reference)
  if (url === undefined) return
  const { pathname, search } = new URL(url)
  await sendRequest({ method: 'GET', url: node.url + pathname + search, headers: {} }).catch(() => {})
}

const chargeToken: Act = async (scene, shop, node) => {
  const { dice } = scene
  const [nth, paymentReference] = [dice.below(100), scene.reference('renewal')]
  const amount = dice.oneOf(['1500', '1500.51', '1500.68', '20'])
  if (shop.cardTokens.length === 0) await keepCard(scene, shop, node)
  const cardToken = shop.cardTokens[nth % shop.cardTokens.length]
  if (cardToken === undefined) return 'has no card on file'
  const body = {
    cardToken,
    amount,
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    paymentReference,
    paymentDescription: 'March',
    currencyCode: 'NGN',
    contractCode: shop.credentials.contractCode,
    apiKey: shop.credentials.apiKey,
  }
  const acknowledged = { table: 'transaction', reference: paymentReference } as const
  const charged = await send(scene, shop, node, contract.chargeCardToken, { body }, acknowledged)
  if (charged !== undefined) shop.transactions.push(charged.transactionReference)
  return `charges a card on file ${amount}: ${charged?.paymentStatus ?? 'no'}`
}

/** Makes a first payment, which stores a card. */
async function keepCard(scene: Scene, shop: SimulatedShop, node: Node): Promise<void> {
  const transactionReference = await open(scene, shop, node, '1000', [])
  if (transactionReference === undefined) return
  const body = { transactionReference, card: aCard(CARDS.success) }
  await send(scene, shop, node, contract.chargeCard, { body })
  await readToken(scene, shop, node, transactionReference)
}

async function readToken(scene: Scene, shop: SimulatedShop, node: Node, transactionReference: string): Promise<void> {
  const record = await send(scene, shop, node, contract.getTransaction, { params: { transactionReference } })
  const cardToken = record?.cardDetails?.cardToken
  if (typeof cardToken === 'string' && cardToken !== '') shop.cardTokens.push(cardToken)
}

const takeCash: Act = async (scene, shop, node) => {
  const [amount, paymentReference] = [nairaOf(scene), scene.reference('till')]
  const acknowledged = { table: 'transaction', reference: paymentReference } as const
  await send(scene, shop, node, contract.collectCash, { body: { amount, paymentReference } }, acknowledged)
  return `an agent collects ${amount} in cash`
}

/** A mandate that the customer has authorized; undefined if that failed. */
async function agreeMandate(
  scene: Scene,
  shop: SimulatedShop,
  node: Node,
  ending: string,
): Promise<string | undefined> {
  const mandateReference = scene.reference('mandate')
  const changes = { mandateReference, customerAccountNumber: `0123456${ending}` }
  const body = aMandate({ credentials: shop.credentials, core: { clock: scene.nodes.clock } }, changes)
  const made = { table: 'mandate', reference: mandateReference } as const
  const mandate = await send(scene, shop, node, contract.createMandate, { body }, made)
  if (mandate === undefined) return undefined
  const { mandateCode } = mandate
  const agreed = await send(scene, shop, node, contract.authorizeMandate, { params: { mandateCode } })
  if (agreed !== undefined) shop.mandates.push(mandateCode)
  return agreed?.mandateCode
}

const debit: Act = async (scene, shop, node) => {
  const { dice } = scene
  const [known, debitAmount, paymentReference] = [dice.oneOf(shop.mandates), nairaOf(scene), scene.reference('debit')]
  const ending = dice.oneOf(['789', '789', '001', '002', '004'])
  const mandateCode = known ?? (await agreeMandate(scene, shop, node, ending))
  if (mandateCode === undefined) return 'has no mandate'
  const body = { paymentReference, mandateCode, debitAmount, narration: 'Rent', customerEmail: 'ada@example.com' }
  await send(scene, shop, node, contract.debitMandate, { body }, { table: 'debit', reference: paymentReference })
  return `debits ${debitAmount}`
}

/** All actions that collect money, and their prerequisites. */
export const COLLECT = {
  requestTransfer,
  reserve,
  sendInvoice,
  openWallet,
  pay,
  payUnassigned,
  chargeCard,
  chargeToken,
  takeCash,
  debit,
}
