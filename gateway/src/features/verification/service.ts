import type { NameMatch } from '@kobo/contract'
import { findOfferedBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { isPosted } from '../../core/money/ledger/index.ts'
import { insufficientBalance, openWallets, walletBalances } from '../../core/money/wallet-balances/index.ts'
import { priceOf } from '../../core/pricing/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { fromDay, fromNamedDay, lagosDay } from '../../kernel/dates.ts'
import { type Kobo, ZERO } from '../../kernel/money.ts'
import { matchNames } from '../../kernel/names.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { IdentityRail, Person, PersonResult } from '../../rails/identity.ts'
import { verificationErrors } from './errors.ts'
import { verificationJournal, verificationKey } from './journals.ts'

export interface VerificationDeps {
  readonly core: Core
  readonly rail: IdentityRail
  /** Whether responses are charged. */
  readonly charges: boolean
}

/** The identity checks, with their services in the price list. In the sandbox they are free. */
const CHECKS = {
  'BVN details': 'verification/bvn-details',
  'BVN account': 'verification/bvn-account',
  'NIN details': 'verification/nin-details',
} as const
type Check = keyof typeof CHECKS

/** The caller, and the request's idempotency key, if it has one. */
export interface Caller {
  readonly merchant: Merchant
  readonly idempotencyKey: string | undefined
}

/** Compares two names: equal except for omissions and misspellings, partly equal, or different. */
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

/** Compares a customer's details with those registered for the BVN. */
export const matchBvnDetails = (deps: VerificationDeps, caller: Caller, details: CustomerDetails) =>
  runCharged(deps, caller, 'BVN details', async () => {
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
/** Returns a phone number without its prefix, domestic (0) or international (+234). */
const nationalNumber = (phone: string): string => phone.slice(-NATIONAL_NUMBER_LENGTH)

export interface AccountOfBvn {
  readonly bvn: string
  readonly bankCode: string
  readonly accountNumber: string
}

/** Compares the name on an account with the name of a BVN. */
export const matchBvnAccount = (deps: VerificationDeps, caller: Caller, account: AccountOfBvn) =>
  runCharged(deps, caller, 'BVN account', async () => {
    if (findOfferedBank(account.bankCode) === undefined) throw verificationErrors.unknownBank(account.bankCode)
    const response = await deps.rail.findAccount(account)
    switch (response.kind) {
      case 'unavailable':
        throw verificationErrors.unavailable()
      case 'unknown number':
        throw verificationErrors.unknownBvn()
      case 'unknown account':
        throw verificationErrors.unknownAccount()
      case 'found':
        return { accountName: response.accountName, ...compareNames(response.holderName, response.accountName) }
    }
  })

export const findNin = (deps: VerificationDeps, caller: Caller, nin: string): Promise<Person> =>
  runCharged(deps, caller, 'NIN details', async () =>
    personIn(await deps.rail.findNin(nin), verificationErrors.unknownNin),
  )

function personIn(response: PersonResult, unknown: () => Error): Person {
  if (response.kind === 'unavailable') throw verificationErrors.unavailable()
  if (response.kind === 'unknown number') throw unknown()
  return response.person
}

/**
 * Runs a check, and charges for the response before returning it; an error costs nothing. The balance is also checked
 * before the enquiry, so that a merchant without money causes no enquiries. But only the charge afterwards decides.
 */
async function runCharged<T>(
  { core, charges }: VerificationDeps,
  caller: Caller,
  check: Check,
  run: () => Promise<T>,
): Promise<T> {
  const { merchant } = caller
  const price = charges ? priceOf(merchant.prices, CHECKS[check], core.clock.now()) : ZERO
  if (price === ZERO) return run()
  const balances = await walletBalances(core.db, walletOf(merchant))
  const isEnough = balances !== undefined && balances.available >= price
  if (!isEnough && !(await isPaidFor(core.db, caller, check, core.clock.now()))) throw insufficientBalance()
  const response = await run()
  await charge(core, caller, check, price)
  return response
}

const walletOf = ({ id, walletAccountNumber }: Merchant) => ({ merchantId: id, accountNumber: walletAccountNumber })

const REQUEST_SECONDS = 86_400

/** Returns the charge keys of a request, for today and the day before; none without an idempotency key. */
function chargeNames({ idempotencyKey }: Caller, check: Check, at: Date): readonly string[] {
  if (idempotencyKey === undefined) return []
  const hash = sha256(`${check} ${idempotencyKey}`).toString('hex')
  const today = lagosDay(at)
  return [`${hash}/${today}`, `${hash}/${today - 1}`]
}

/** Whether a request was charged before. It may be a repeat of one whose process died or was slow. */
const isPaidFor = (db: Db | Tx, caller: Caller, check: Check, at: Date): Promise<boolean> =>
  isPosted(
    db,
    caller.merchant.id,
    chargeNames(caller, check, at).map(verificationKey),
    secondsAfter(at, -REQUEST_SECONDS),
  )

/** Charges for a response, once per request. */
const charge = (core: Core, caller: Caller, check: Check, price: Kobo): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const { tx, ids, at } = unit
    const { merchant } = caller
    const wallets = await openWallets(tx, [walletOf(merchant)])
    if (await isPaidFor(tx, caller, check, at)) return
    const reference = ids.shortReference('KFVR')
    const [name = reference] = chargeNames(caller, check, at)
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
