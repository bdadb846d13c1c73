import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { CLOSING } from '../../src/app/features.ts'
import { StatementError } from '../../src/core/bank-statements/index.ts'
import { moneyOf, walletOf } from '../../src/core/money/ledger/index.ts'
import { unroutedOrders } from '../../src/core/orders/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { proposePayout, requestOrApprove } from '../../src/features/operator/index.ts'
import {
  decide,
  findExceptions,
  importStatements,
  matchPartner,
  putStatementAccount,
  type Resolution,
} from '../../src/features/reconciliation/index.ts'
import { changeMerchantStatus, MerchantStatusError } from '../../src/features/settings/index.ts'
import { lagosDay } from '../../src/kernel/dates.ts'
import { kobo } from '../../src/kernel/money.ts'
import { inTransaction, isLockTimeout } from '../../src/platform/postgres/db.ts'
import { aReservedAccount } from '../harness/samples.ts'
import type { Act } from './collect.ts'
import type { Node } from './nodes.ts'
import { PARTNER } from './partners.ts'
import { type Scene, type SimulatedShop, send } from './scene.ts'

const BY = { actor: 'command line' } as const
const OPERATORS = ['Ada', 'Bayo'] as const
const RULES = { environment: 'sandbox', allowed: [], receiverPorts: undefined } as const

/** Operators close a merchant that has nothing pending. It can then do nothing, and its payers get their money back. */
const close: Act = async (_, shop, node) => {
  if (node.trouble !== undefined || shop.isClosed) return 'is not closed now'
  const { directory } = node.running.core
  try {
    await changeMerchantStatus({ directory, closing: CLOSING }, shop.id, { standing: 'CLOSED', reason: 'left' }, BY)
  } catch (error) {
    if (error instanceof MerchantStatusError) return `cannot be closed: ${error.left?.account ?? error.order}`
    if (isLockTimeout(error)) return 'cannot be closed: busy'
    throw error
  }
  shop.isClosed = true
  return 'is closed'
}

/** Two operators pay out what a closed merchant has left. */
export async function payOut({ operators }: Scene, shop: SimulatedShop, node: Node): Promise<void> {
  const { core } = node.running
  const merchant = await core.directory.byId(shop.id)
  assert.equal(merchant?.standing, 'CLOSED')
  const [ada = 0n, ben = 0n] = operators
  const by = (personId: bigint) => ({ person: { personId }, by: BY, reason: 'closed' })
  for (const { code } of await moneyOf(core.db, shop.id)) {
    const walletAccountNumber = walletOf(code)
    if (walletAccountNumber === undefined) continue
    const requested = { bankCode: '058', accountNumber: '0123456789', accountName: 'ADA OBI', walletAccountNumber }
    const deps = { core, rules: RULES, orders: unroutedOrders }
    for (const operator of [ada, ben])
      await requestOrApprove(deps, await proposePayout({ core }, merchant, requested), by(operator))
  }
}

/** A bank assigns a number to another of our merchants' customers, and repeats its notifications of earlier credits. */
const reissue: Act = async (scene, shop, node) => {
  const { dice, bank, paying, nodes } = scene
  const other = dice.oneOf(scene.shops)
  const index = shop.payables.findIndex((one) => one.isIssuable === true && !paying.has(one.accountNumber))
  if (index === -1 || other.isClosed) return 'has no number that its bank takes back'
  const [payable] = shop.payables.splice(index, 1)
  assert.ok(payable !== undefined)
  const { bankCode, accountNumber } = payable
  const body = aReservedAccount(other, { accountReference: scene.reference('customer') })
  const reserved = await send(scene, other, node, contract.reserveAccount, { body })
  const next = reserved?.accounts[0]
  if (next === undefined) return 'keeps its number'
  await inTransaction(nodes.db, async (tx) => {
    const at = nodes.clock.now()
    await tx`
      insert into earlier_account (bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at, closes_at, partner)
      select bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at, ${at}, partner
        from virtual_account where bank_code = ${bankCode} and account_number = ${accountNumber}`
    const [holder] = await tx<{ merchantId: bigint; purpose: string; ownerId: bigint }[]>`
      delete from virtual_account where bank_code = ${next.bankCode} and account_number = ${next.accountNumber}
      returning merchant_id, purpose, owner_id`
    assert.ok(holder !== undefined)
    await tx`
      update virtual_account
         set merchant_id = ${holder.merchantId}, purpose = ${holder.purpose}, owner_id = ${holder.ownerId},
             opened_at = ${at}, closes_at = null
       where bank_code = ${bankCode} and account_number = ${accountNumber}`
  })
  other.payables.push({ bankCode, accountNumber, naira: 1_500, isReissued: true })
  const repeated = await bank.repeat(node, accountNumber)
  return `loses its number ${accountNumber} to merchant ${scene.shops.indexOf(other) + 1}; ${repeated} repeated`
}

/** How the operators book a line of a statement. They may disagree. */
const BOOKED = ['credit', 'credit', 'suspense', 'cost', 'own', 'merchant', 'disagree'] as const

/**
 * A statement has an unknown line: a credit that the bank never reported, or a debit. Two operators decide, perhaps at
 * once and through both nodes. The bank may still report the credit later.
 */
const statement: Act = (scene, shop, node) => {
  const { dice, nodes, bank } = scene
  const how = dice.oneOf(BOOKED)
  const payable = dice.oneOf(shop.payables.filter(({ isReissued }) => isReissued !== true))
  const [isAtOnce, reference, amount] = [dice.below(2) === 0, scene.reference('FT'), 1_000 + dice.below(200_000)]
  const run = async (): Promise<string> => {
    if (node.trouble !== undefined || payable === undefined) return 'gets no statement'
    const isCredit = how === 'credit' || how === 'suspense' || how === 'disagree'
    const { bankCode, accountNumber } = payable
    const payer = { name: 'BOLA ADE', accountNumber: '0123452789', bankCode: '058' }
    if (how === 'credit') bank.keepQuiet(shop.id, { railReference: reference, bankCode, accountNumber, amount, payer })
    const id = await importLine(scene, node, reference, isCredit ? amount : -amount)
    const code = (await node.running.core.directory.byId(shop.id))?.code ?? ''
    const requested: Readonly<Record<(typeof BOOKED)[number], readonly Resolution[]>> = {
      credit: [{ as: 'credit', bankCode, accountNumber }],
      suspense: [{ as: 'suspense' }],
      cost: [{ as: 'cost' }],
      own: [{ as: 'own' }],
      merchant: [{ as: 'merchant', merchantCode: code }],
      disagree: [{ as: 'suspense' }, { as: 'own' }],
    }
    const [first, second = first] = requested[how]
    assert.ok(first !== undefined && second !== undefined)
    const propose = (at: Node, by: string, as: Resolution) => decideAt(at, id, by, as)
    const other = nodes.all.find((one) => one !== node && one.trouble === undefined) ?? node
    const states = isAtOnce
      ? await Promise.all([propose(node, OPERATORS[0], first), propose(other, OPERATORS[1], second)])
      : [await propose(node, OPERATORS[0], first), await propose(other, OPERATORS[1], second)]
    return `has a line ${reference} of ${amount} on a statement (${how}): ${states}`
  }
  // Statements of a bank are imported one after the other.
  const done = scene.statements.then(run)
  scene.statements = done.catch(() => {})
  return done
}

async function decideAt(node: Node, id: bigint, by: string, requested: Resolution): Promise<string> {
  const decided = { wanted: requested, by, because: 'asked the bank' }
  try {
    return (await unitOfWork(node.running.core, (unit) => decide(unit, id, decided, BY))).state
  } catch (error) {
    if (error instanceof StatementError || isLockTimeout(error)) return 'no'
    // Two proposals at once: one of them is a duplicate.
    if ((error as { code?: string }).code === '23505') return 'no'
    throw error
  }
}

/** Imports a statement of one line; returns the item about it. */
async function importLine(
  scene: Scene,
  { running: { core } }: Node,
  reference: string,
  amount: number,
): Promise<bigint> {
  const day = lagosDay(core.clock.now())
  const bytes = Buffer.from(reference)
  const line = {
    ...{ day, amount: kobo(BigInt(amount)), isFee: false, bankReference: reference, references: [] },
    ...{ accountNumber: null, name: 'BOLA ADE', narration: null },
  }
  await unitOfWork(core, async (unit) => {
    const [known] = await unit.tx`select from statement_account where partner = ${PARTNER}`
    if (known === undefined) await putStatementAccount(unit, { partner: PARTNER, from: day, opening: kobo(0n) })
  })
  const statements = [{ account: null, opening: null, closing: null, lines: [line], lineCount: 1 }]
  await unitOfWork(core, (unit) =>
    importStatements(unit, { partner: PARTNER, name: reference, bytes, statements }, { actor: 'command line' }),
  )
  await unitOfWork(core, (unit) => matchPartner(unit, PARTNER))
  const found = (await findExceptions(scene.nodes.db, PARTNER)).find(({ lines }) =>
    lines.some(({ bankReference }) => bankReference === reference),
  )
  assert.ok(found !== undefined, `${reference} is an exception`)
  return found.item.id
}

/** All actions of operators. */
export const OPERATE = { close, reissue, statement }
