import type * as contract from '@kobo/contract'
import type { CardChargeStatus, Reply } from '@kobo/contract'
import { invariant } from '../../kernel/errors.ts'
import { toNaira } from '../../kernel/money.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Charge } from './conclude.ts'
import type { AttemptStatus } from './machine.ts'
import type { AttemptRow } from './repository.ts'

const SUCCESS = { status: 'SUCCESS', message: 'Transaction Successful' } as const
const IN_PROGRESS = { status: 'PENDING', message: 'Payment in progress' } as const

/** The results of attempts that succeeded or may still succeed. All other statuses are returned as errors. */
const SHOWN_AS: Readonly<
  Partial<Record<AttemptStatus, { readonly status: CardChargeStatus; readonly message: string }>>
> = {
  APPROVED: SUCCESS,
  OTP_REQUIRED: { status: 'OTP_AUTHORIZATION_REQUIRED', message: 'OTP Authorization required' },
  SECURE_3D_REQUIRED: { status: 'BANK_AUTHORIZATION_REQUIRED', message: '3D Secure Authorization required' },
  CHARGING: IN_PROGRESS,
  AUTHORIZING: IN_PROGRESS,
  UNKNOWN: IN_PROGRESS,
}

/** Shows the result of a card charge. */
export function showCharge({ attempt, transaction }: Charge, publicUrl: string): Reply<typeof contract.chargeCard> {
  const shown = SHOWN_AS[attempt.status]
  invariant(shown !== undefined, `a ${attempt.status} charge is returned as an error`)
  return {
    ...shown,
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    authorizedAmount: toNaira(attempt.amount),
    ...(attempt.status === 'OTP_REQUIRED' ? { otpData: otpData(attempt) } : {}),
    ...(attempt.status === 'SECURE_3D_REQUIRED' ? { secure3dData: secure3dData(attempt, publicUrl) } : {}),
  }
}

/** Shows the result of a card charge with the state of its transaction. */
export const showAuthorization = (charge: Charge, publicUrl: string): Reply<typeof contract.authorizeOtp> => ({
  ...showCharge(charge, publicUrl),
  paymentStatus: charge.transaction.status,
  amountPaid: toNaira(charge.transaction.amountPaid),
  currencyPaid: charge.transaction.currencyCode,
})

const otpData = ({ reference }: AttemptRow) => ({
  id: reference,
  message: 'Enter the OTP sent to your phone',
  authData: sha256(`auth data ${reference}`).toString('base64url'),
})

function secure3dData(attempt: AttemptRow, publicUrl: string) {
  const url = issuersPage(attempt, publicUrl)
  return { id: attempt.reference, redirectUrl: url, acsUrl: url, method: attempt.acsMethod ?? 'GET' }
}

/** Returns the URL of the issuer's page for the card holder. The simulated issuer's page is served by Kobo. */
export const issuersPage = ({ acsUrl }: AttemptRow, publicUrl: string): string =>
  acsUrl?.startsWith('/') === true ? publicUrl + acsUrl : (acsUrl ?? '')
