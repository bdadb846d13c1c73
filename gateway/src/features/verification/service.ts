import type { NameMatch } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { findOfferedBank } from '../../core/money/bank-list/index.ts'
import { isPosted } from '../../core/money/ledger/index.ts'
import { priceOf } from '../../core/money/pricing/index.ts'
import { insufficientBalance, openWallets, walletBalances } from '../../core/money/wallet-balances/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { fromDay, fromNamedDay, lagosDay } from '../../kernel/dates.ts'
import { type Kobo, ZERO } from '../../kernel/money.ts'
import { matchNames } from '../../kernel/names.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { IdentityRail, Person, PersonAnswer } from '../../rails/identity.ts'
import { verificationErrors } from './errors.ts'
import { verificationJournal, verificationKey } from './journals.ts'

export interface VerificationDeps {
  readonly core: Core
  readonly rail: IdentityRail
  /** Whether answers are paid for. */
  readonly charges: boolean
}

/** What can be asked of the registers, and what in the price list it is. In the sandbox answers are free. */
const CHECKS = {
  'BVN details': 'verification/bvn-details',
  'BVN account': 'verification/bvn-account',
  'NIN details': 'verification/nin-details',
} as const
type Check = keyof typeof CHECKS

/** Who asks, and what names the request, where it may be repeated. */
export interface Asker {
  readonly merchant: Merchant
  readonly idempotencyKey: string | undefined
}

/** How alike two names are: the same but for what people leave out or misspell, partly the same, or different. */
export function compareNames(written: string, held: string): { matchStatus: NameMatch; matchPercentage: number } {
  const { score, verdict } = matchNames(written, held)
  return { matchStatus: STATUSES[verdict], matchPercentage: score }
}

const STATUSES = { pass: 'FULL_MATCH', flag: 'PARTIAL_MATCH', refuse: 'NO_MATCH' } as const

export interface CustomerDetails {
  readonly bvn: string
  readonly name: string
  readonly dateOfBirth: string
  readonly mobileNo: string
}

/** Compares what a customer says of itself with what the register of BVNs has. */
export const matchBvnDetails = (deps: VerificationDeps, asker: Asker, details: CustomerDetails) =>
  answerFor(deps, asker, 'BVN details', async () => {
    const person = personIn(await deps.rail.findBvn(details.bvn), verificationErrors.unknownBvn)
    const born = fromDay(person.dateOfBirth)?.getTime()
    return {
      name: compareNames(details.name, fullName(person)),
      dateOfBirth: isSame(fromNamedDay(details.dateOfBirth)?.getTime() === born),
      mobileNo: isSame(nationalNumber(details.mobileNo) === nationalNumber(person.mobileNumber)),
    }
  })

const isSame = (holds: boolean): 'FULL_MATCH' | 'NO_MATCH' => (holds ? 'FULL_MATCH' : 'NO_MATCH')

const fullName = ({ firstName, middleName, lastName }: Person): string => `${firstName} ${middleName ?? ''} ${lastName}`

const NATIONAL_NUMBER_LENGTH = 10
/** A phone number without what stands before it at home (0) or abroad (+234). */
const nationalNumber = (phone: string): string => phone.slice(-NATIONAL_NUMBER_LENGTH)

export interface AccountOfBvn {
  readonly bvn: string
  readonly bankCode: string
  readonly accountNumber: string
}

/** Compares the name on an account with the name of a BVN. */
export const matchBvnAccount = (deps: VerificationDeps, asker: Asker, account: AccountOfBvn) =>
  answerFor(deps, asker, 'BVN account', async () => {
    if (findOfferedBank(account.bankCode) === undefined) throw verificationErrors.unknownBank(account.bankCode)
    const answer = await deps.rail.findAccount(account)
    switch (answer.kind) {
      case 'unavailable':
        throw verificationErrors.unavailable()
      case 'unknown number':
        throw verificationErrors.unknownBvn()
      case 'unknown account':
        throw verificationErrors.unknownAccount()
      case 'found':
        return { accountName: answer.accountName, ...compareNames(answer.holderName, answer.accountName) }
    }
  })

/** Who a NIN belongs to. */
export const findNin = (deps: VerificationDeps, asker: Asker, nin: string): Promise<Person> =>
  answerFor(deps, asker, 'NIN details', async () =>
    personIn(await deps.rail.findNin(nin), verificationErrors.unknownNin),
  )

function personIn(answer: PersonAnswer, unknown: () => Error): Person {
  if (answer.kind === 'unavailable') throw verificationErrors.unavailable()
  if (answer.kind === 'unknown number') throw unknown()
  return answer.person
}

/**
 * Asks, and charges for an answer before it is given; what is refused costs nothing. The wallet is looked at before too,
 * so that nobody without money keeps the register busy; whether it pays is decided when it is charged.
 */
async function answerFor<T>(
  { core, charges }: VerificationDeps,
  asker: Asker,
  check: Check,
  ask: () => Promise<T>,
): Promise<T> {
  const { merchant } = asker
  const price = charges ? priceOf(merchant.prices, CHECKS[check], core.clock.now()) : ZERO
  if (price === ZERO) return ask()
  const held = await walletBalances(core.db, walletOf(merchant))
  const isEnough = held !== undefined && held.available >= price
  if (!isEnough && !(await isPaidFor(core.db, asker, check, core.clock.now()))) throw insufficientBalance()
  const answer = await ask()
  await charge(core, asker, check, price)
  return answer
}

const walletOf = ({ id, walletAccountNumber }: Merchant) => ({ merchantId: id, accountNumber: walletAccountNumber })

/** As long as an idempotency key names one request. */
const REQUEST_SECONDS = 86_400

/** What a request is charged under, today and the day before; nothing where it has no name. */
function chargeNames({ idempotencyKey }: Asker, check: Check, at: Date): readonly string[] {
  if (idempotencyKey === undefined) return []
  const hash = sha256(`${check} ${idempotencyKey}`).toString('hex')
  const today = lagosDay(at)
  return [`${hash}/${today}`, `${hash}/${today - 1}`]
}

/** Whether a request was charged for before: whoever carried it out then died, or was slow, so that it is carried out again. */
const isPaidFor = (db: Db | Tx, asker: Asker, check: Check, at: Date): Promise<boolean> =>
  isPosted(
    db,
    asker.merchant.id,
    chargeNames(asker, check, at).map(verificationKey),
    secondsAfter(at, -REQUEST_SECONDS),
  )

/** Charges for an answer, once for each request. */
const charge = (core: Core, asker: Asker, check: Check, price: Kobo): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const { tx, ids, at } = unit
    const { merchant } = asker
    const wallets = await openWallets(tx, [walletOf(merchant)])
    if (await isPaidFor(tx, asker, check, at)) return
    const reference = ids.shortReference('KFVR')
    const [name = reference] = chargeNames(asker, check, at)
    const taken = wallets.take({
      journal: verificationJournal(merchant, name, check, price),
      reference,
      transactionReference: reference,
      narration: null,
      message: `Verification: ${check}`,
    })
    if (!taken) throw insufficientBalance()
    wallets.write(unit)
  })
