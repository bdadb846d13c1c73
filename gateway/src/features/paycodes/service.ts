import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { postNew } from '../../core/money/ledger/index.ts'
import { openWallets, type WalletAct } from '../../core/money/wallet-balances/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { type Kobo, kobo, toNaira } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import {
  AUTHORIZE_SECONDS_MAX,
  approvalGate,
  endRequests,
  type Facts,
  insertRequests,
  type Maker,
  type Payout,
  type PayoutDefinition,
  requestFor,
  WAITING,
} from '../approvals/index.ts'
import { type CodeVault, NO_CODE, newCode } from './code.ts'
import { paycodeErrors } from './errors.ts'
import { heldJournal, paidOutJournal, returnedJournal } from './journals.ts'
import { type PaycodeTrigger, paycodeMachine } from './machine.ts'
import {
  claimCode,
  findPaycode,
  insertPaycode,
  lockDuePaycodes,
  lockPaycode,
  lockPaycodes,
  nextPaycodeDue,
  type PaycodeRow,
  releaseCodes,
  releasePaycode,
  selectPaycodesByKey,
  updatePaycodes,
} from './repository.ts'

const AMOUNT_MIN = kobo(10_000n)
const DAYS_MAX = 30
const SECONDS_MAX = DAYS_MAX * 86_400
/** Even if half of all hundred million codes are in use, this many attempts find a free one. */
const ATTEMPTS_MAX = 50

export interface Deps {
  readonly core: Core
  readonly vault: CodeVault
}

/** A merchant's request for a paycode. */
export interface NewPaycode {
  readonly beneficiaryName: string
  readonly amount: Kobo
  readonly paycodeReference: string
  readonly expiresAt: Date
  readonly clientId: string
}

/** Creates a paycode and debits amount and fee. The paycode gets its code at once, or after an approval. */
export async function createPaycode(
  { core, vault }: Deps,
  merchant: Merchant,
  requested: NewPaycode,
  maker?: Maker,
): Promise<PaycodeRow> {
  check(merchant, requested, core.clock.now())
  return unitOfWork(core, (unit) => openPaycode(unit, vault, merchant, requested, maker))
}

function check(merchant: Merchant, { amount, expiresAt, clientId }: NewPaycode, at: Date): void {
  if (clientId !== merchant.apiKey) throw paycodeErrors.notTheCaller()
  if (amount < AMOUNT_MIN) throw paycodeErrors.amountTooSmall(toNaira(AMOUNT_MIN))
  if (expiresAt <= at) throw paycodeErrors.expiryInThePast()
  if (expiresAt > secondsAfter(at, SECONDS_MAX)) throw paycodeErrors.expiryTooFar(DAYS_MAX)
}

async function openPaycode(
  unit: UnitOfWork,
  vault: CodeVault,
  merchant: Merchant,
  requested: NewPaycode,
  maker: Maker,
): Promise<PaycodeRow> {
  const { tx, ids, at } = unit
  const key = { merchantId: merchant.id, id: ids.id() }
  const gate = approvalGate(merchant, maker, requested.amount)
  const paycode: PaycodeRow = {
    ...key,
    paycodeReference: requested.paycodeReference,
    transactionReference: ids.transactionReference(),
    sealed: vault.seal(gate.kind === 'none' ? await freeCode(tx, vault, key) : NO_CODE, key),
    beneficiaryName: requested.beneficiaryName,
    walletAccountNumber: merchant.walletAccountNumber,
    amount: requested.amount,
    fee: priceOn(merchant.prices, 'paycode', requested.amount, at),
    status: 'PENDING',
    createdAt: at,
    createdBy: merchant.apiKey,
    modifiedBy: null,
    expiresAt: requested.expiresAt,
    completedAt: null,
    authorizeBy: gate.kind === 'none' ? null : secondsAfter(at, AUTHORIZE_SECONDS_MAX),
  }
  if (!(await insertPaycode(tx, paycode))) throw paycodeErrors.duplicateReference()
  const wallets = await openWallets(tx, [walletOf(paycode)])
  if (!wallets.take(heldAct(paycode))) throw paycodeErrors.insufficientBalance()
  wallets.write(unit)
  if (gate.kind === 'approval')
    insertRequests(tx, [requestFor(paycode, 'PAYCODE', paycodeFacts(paycode), maker, gate.needed)])
  return paycode
}

/** Gives a locked paycode its code, so that it can be paid out. */
async function issueCode({ tx }: UnitOfWork, vault: CodeVault, paycode: PaycodeRow): Promise<void> {
  const sealed = vault.seal(await freeCode(tx, vault, paycode), paycode)
  releasePaycode(tx, { ...paycode, sealed, authorizeBy: null })
}

/** Returns the facts that an approval of a paycode covers. */
const paycodeFacts = (paycode: PaycodeRow): Facts => [
  [
    paycode.paycodeReference,
    String(paycode.amount),
    paycode.walletAccountNumber,
    paycode.beneficiaryName,
    paycode.expiresAt.toISOString(),
  ],
]

const paycodePayout = (paycode: PaycodeRow): Payout => ({
  ...paycode,
  reference: paycode.paycodeReference,
  status: paycode.authorizeBy === null ? paycode.status : WAITING,
  recipient: `Cash for ${paycode.beneficiaryName}`,
  narration: `Can be collected until ${displayMoment(paycode.expiresAt)}`,
  itemsCount: 1,
})

/** Defines paycodes as payouts that can wait for approval. */
export const paycodePayouts = (vault: CodeVault): PayoutDefinition => ({
  select: async (db, keys) => (await selectPaycodesByKey(db, keys)).map(paycodePayout),
  lock: async (unit, key) => {
    const [paycode] = await lockPaycodes(unit.tx, [key])
    invariant(paycode !== undefined, 'a paycode is never deleted')
    const isLate = paycode.expiresAt <= unit.at
    return {
      ...paycodePayout(paycode),
      ...(isLate ? { status: 'EXPIRED' } : {}),
      facts: paycodeFacts(paycode),
      release: async () => {
        await issueCode(unit, vault, paycode)
        return undefined
      },
      reject: async () => {
        const after = moved(paycode, 'cancel', unit.at)
        invariant(after !== undefined, 'a waiting paycode can be cancelled')
        await releaseHeld(unit, [after])
      },
    }
  },
})

/** Claims a random code that no other open paycode has. */
async function freeCode(tx: Tx, vault: CodeVault, key: Pick<PaycodeRow, 'merchantId' | 'id'>): Promise<string> {
  for (let tried = 0; tried < ATTEMPTS_MAX; tried++) {
    const code = newCode()
    if (await claimCode(tx, vault.hash(code), key)) return code
  }
  return invariant(false, 'a free code is found within the attempts') as never
}

const walletOf = ({ merchantId, walletAccountNumber }: PaycodeRow) => ({
  merchantId,
  accountNumber: walletAccountNumber,
})

const act = ({ paycodeReference, transactionReference, beneficiaryName }: PaycodeRow) => ({
  reference: paycodeReference,
  transactionReference,
  narration: `Paycode for ${beneficiaryName}`,
})
const heldAct = (paycode: PaycodeRow): WalletAct => ({
  ...act(paycode),
  journal: heldJournal(paycode),
  message: 'Paycode created',
})
const returnedAct = (paycode: PaycodeRow): WalletAct => ({
  ...act(paycode),
  journal: returnedJournal(paycode),
  message: paycode.status === 'EXPIRED' ? 'Paycode expired' : 'Paycode cancelled',
})

/** Cancels a paycode and releases amount and fee. */
export const cancelPaycode = (core: Core, merchant: Merchant, paycodeReference: string): Promise<PaycodeRow> =>
  unitOfWork(core, async (unit) => {
    const paycode = await lockExisting(unit.tx, merchant.id, paycodeReference)
    const after = moved(paycode, 'cancel', unit.at)
    if (after === undefined) throw paycodeErrors.notCancellable(statusAt(paycode, unit.at))
    const row = { ...after, modifiedBy: merchant.apiKey }
    await releaseHeld(unit, [row])
    return row
  })

/** Records that an agent paid a paycode out. */
export const redeemPaycode = (core: Core, merchantId: bigint, paycodeReference: string): Promise<PaycodeRow> =>
  unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const paycode = await lockExisting(tx, merchantId, paycodeReference)
    const after = paycode.authorizeBy === null ? moved(paycode, 'redeem', at) : undefined
    if (after === undefined) throw paycodeErrors.notRedeemable(statusAt(paycode, at))
    updatePaycodes(tx, [after])
    releaseCodes(tx, [after])
    postNew(unit, [paidOutJournal(after)])
    return after
  })

async function lockExisting(tx: Tx, merchantId: bigint, paycodeReference: string): Promise<PaycodeRow> {
  const paycode = await lockPaycode(tx, merchantId, paycodeReference)
  if (paycode === undefined) throw paycodeErrors.notFound()
  return paycode
}

/** Returns a paycode after a status change; undefined if not allowed. After its expiry date, it can only expire. */
function moved(paycode: PaycodeRow, trigger: PaycodeTrigger, at: Date): PaycodeRow | undefined {
  const status = next(paycodeMachine, paycode.status, trigger)
  const isLate = paycode.expiresAt <= at && trigger !== 'expire'
  return status === undefined || isLate ? undefined : { ...paycode, status, completedAt: at, authorizeBy: null }
}

/** Returns a paycode's status at the given time, even if the sweep has not run yet. */
const statusAt = ({ status, expiresAt, authorizeBy }: PaycodeRow, at: Date): string =>
  status === 'PENDING' && expiresAt <= at ? 'EXPIRED' : authorizeBy === null ? status : WAITING

/** Stores paycodes that ended without a payout, and releases their money. */
async function releaseHeld(unit: UnitOfWork, ended: readonly PaycodeRow[]): Promise<void> {
  const { tx } = unit
  updatePaycodes(tx, ended)
  releaseCodes(tx, ended)
  endRequests(tx, ended, unit.at)
  const wallets = await openWallets(tx, ended.map(walletOf))
  for (const paycode of ended) invariant(wallets.take(returnedAct(paycode)), 'a wallet can always be credited')
  wallets.write(unit)
}

export const paycodeSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'expire paycodes',
    runShard: (shard, _, limit) =>
      unitOfWork(core, async (unit) => {
        const due = await lockDuePaycodes(unit.tx, shard, unit.at, limit)
        const expired = due.flatMap((paycode) => moved(paycode, 'expire', unit.at) ?? [])
        if (expired.length > 0) await releaseHeld(unit, expired)
        return expired.length
      }),
    nextDue: () => nextPaycodeDue(core.db),
  },
]

export async function getPaycode(db: Db, merchantId: bigint, paycodeReference: string): Promise<PaycodeRow> {
  const paycode = await findPaycode(db, merchantId, paycodeReference)
  if (paycode === undefined) throw paycodeErrors.notFound()
  return paycode
}
