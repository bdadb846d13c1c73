import type { MandateStatus } from './direct-debit.ts'

/** The texts of a mandate's page and email in one language. */
export interface MandateTexts {
  readonly titles: Readonly<Record<Exclude<MandateStatus, 'INITIATED'>, string>>
  readonly notices: Readonly<Record<Exclude<MandateStatus, 'INITIATED'>, string>>
  readonly decisions: Readonly<Record<'authorize' | 'refuse' | 'cancel', string>>
  readonly yourAccount: string
  readonly from: string
  readonly renewed: (until: string) => string
  readonly code: string
  readonly varying: string
  readonly each: (amount: string) => string
  readonly noLimit: string
  readonly atMost: (amount: string) => string
  readonly atMostWithRenewals: (amount: string) => string
  readonly byTransfer: string
  readonly payFrom: string
  readonly standIn: string
  readonly subject: (merchant: string) => string
  readonly wants: (merchant: string, account: string, bank: string, description: string) => string
  readonly payToken: (amount: string, by: string) => string
  readonly decideHere: (url: string) => string
  readonly otherwise: string
}

/** The texts of the simulated bank's 3-D Secure page. */
interface ChallengeTexts {
  readonly title: string
  readonly to: (merchant: string) => string
  readonly codeHint: string
  readonly wrongCode: string
  readonly approve: string
  readonly refuse: string
  readonly timeLimit: string
  readonly approved: string
  readonly declined: string
  readonly over: string
  readonly nothingToDo: string
  readonly yourBank: string
}

/** The texts of the pages, documents and emails that the gateway writes to payers, in one language. */
export interface PayerTexts {
  readonly sandbox: string
  readonly securedBy: string
  readonly language: string
  /** The languages by code, in their own names. */
  readonly languageNames: Readonly<Record<string, string>>
  readonly busy: string
  readonly notPossible: string
  readonly otpLabel: string
  readonly back: (merchant: string) => string
  readonly bank: string
  readonly accountNumber: string
  readonly amount: string
  readonly linkName: string
  readonly linkGo: string
  readonly transferTitle: (amount: string) => string
  readonly partNote: (paid: string, total: string) => string
  readonly invoicePdf: string
  readonly sandboxNote: string
  readonly questions: (merchant: string) => string
  readonly receipt: string
  readonly receiptNumber: string
  readonly scanReceipt: string
  readonly merchant: string
  readonly description: string
  readonly date: string
  readonly method: string
  readonly methodNames: Readonly<Record<string, string>>
  readonly payer: string
  readonly orderReference: string
  readonly transactionReference: string
  readonly invoice: string
  readonly billedTo: string
  readonly payBy: string
  readonly accountName: string
  /** The account name, with the merchant that the account is for. */
  readonly accountOf: (name: string, merchant: string) => string
  readonly paidOf: (paid: string, total: string) => string
  readonly receivedBy: (merchant: string) => string
  readonly invoiceNumber: string
  readonly issuedOn: string
  readonly paidSoFar: string
  readonly stillToPay: string
  readonly payInto: string
  readonly payHere: string
  /** The subject of the receipt email. */
  readonly receiptFrom: (merchant: string, amount: string) => string
  readonly received: (merchant: string, amount: string) => string
  readonly toKeep: (url: string) => string
  readonly dear: (name: string) => string
  /** The subject of the invoice email. */
  readonly invoiceFrom: (number: string, merchant: string, amount: string) => string
  readonly asksToPay: (merchant: string) => string
  readonly anyAmount: string
  readonly until: string
  readonly unknownMerchant: (merchant: string) => string
  readonly challenge: ChallengeTexts
  readonly mandate: MandateTexts
  readonly nothingHere: string
  readonly nothingHereNote: string
  readonly toStart: string
  readonly cannotBeDone: string
  readonly wentWrong: string
  readonly oneMoment: string
  readonly openAgain: string
  /** The reason on an error page, by the error's code. */
  readonly reasons: Readonly<Record<string, string>>
}
