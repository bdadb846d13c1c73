import { accountKey, findAccounts, UNASSIGNED } from '../../core/account-numbers/index.ts'
import { findBank } from '../../core/bank-list/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { INSTITUTION, SIMULATED } from '../../rails/simulated/index.ts'

/** A transfer that a sandbox customer sends from the banking app. */
export interface SandboxTransfer {
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: Kobo
  readonly senderName?: string | null | undefined
  readonly senderAccountNumber?: string | null | undefined
  readonly senderBankCode?: string | null | undefined
  readonly senderBvn?: string | null | undefined
  readonly narration?: string | null | undefined
}

/** The default sender. */
export const CUSTOMER = { name: 'ADAEZE OKAFOR', accountNumber: '0123456789', bankCode: '058' }

/** Sends money as a bank would: through the same code as a real credit, with its own session id. */
export async function sendFromBankApp(
  {
    core: { ids, wall },
    receiveCredit,
  }: {
    readonly core: { readonly ids: IdSource; readonly wall: Clock }
    readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
  },
  transfer: SandboxTransfer,
): Promise<{ sessionId: string; outcome: CreditOutcome }> {
  const senderBankCode = transfer.senderBankCode ?? CUSTOMER.bankCode
  const sessionId = ids.sessionId(findBank(senderBankCode)?.nipBankCode ?? INSTITUTION)
  const outcome = await receiveCredit({
    partner: SIMULATED,
    railReference: sessionId,
    bankCode: transfer.bankCode,
    accountNumber: transfer.accountNumber,
    amount: transfer.amount,
    payer: {
      name: transfer.senderName ?? CUSTOMER.name,
      accountNumber: transfer.senderAccountNumber ?? CUSTOMER.accountNumber,
      bankCode: senderBankCode,
      bvn: transfer.senderBvn ?? null,
    },
    narration: transfer.narration ?? null,
    arrivedAt: wall.now(),
  })
  return { sessionId, outcome }
}

/** Looks up the name of an account, as a banking app does before it sends money. */
export async function enquireName(
  db: Db,
  number: { readonly bankCode: string; readonly accountNumber: string },
): Promise<{ bankCode: string; bankName: string; accountNumber: string; accountName: string } | undefined> {
  const account = (await findAccounts(db, [number])).get(accountKey(number))
  if (account === undefined || account.purpose === UNASSIGNED) return undefined
  const { bankCode, accountNumber, accountName } = account
  return { bankCode, bankName: findBank(bankCode)?.name ?? '', accountNumber, accountName }
}
