import type { ReceiptKeys } from '../../core/security/receipt-keys.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'

/** The facts of a payment that its receipt proves. No data of the payer is among them. */
export interface ReceiptFacts {
  readonly merchantName: string
  readonly amountPaid: Kobo
  readonly currencyCode: string
  readonly paidAt: Date
  readonly transactionReference: string
  readonly paymentMethod: string
  readonly isSandbox: boolean
}

/** The first part of every signed statement: the version of its format. */
const VERSION = 'r1'
const PARTS = 4

/**
 * Signs the facts of a payment. The signed statement is short enough for a QR code: the version, the key's id, the
 * facts as a JSON list in base64url, and the signature of everything before it.
 */
export function signReceipt(keys: Pick<ReceiptKeys, 'sign'>, facts: ReceiptFacts): string {
  const listed = [
    facts.merchantName,
    toNairaText(facts.amountPaid),
    facts.currencyCode,
    Math.floor(facts.paidAt.getTime() / 1_000),
    facts.transactionReference,
    facts.paymentMethod,
    ...(facts.isSandbox ? ['sandbox'] : []),
  ]
  const payload = Buffer.from(JSON.stringify(listed)).toString('base64url')
  const { text, signature } = keys.sign((keyId) => `${VERSION}.${keyId}.${payload}`)
  return `${text}.${signature.toString('base64url')}`
}

/** Returns the transaction reference of a signed statement; undefined if we did not sign it. */
export async function readReceipt(keys: Pick<ReceiptKeys, 'isSigned'>, receipt: string): Promise<string | undefined> {
  const parts = receipt.split('.')
  const [version, keyId = '', payload = '', signature = ''] = parts
  if (parts.length !== PARTS || version !== VERSION) return undefined
  const text = `${version}.${keyId}.${payload}`
  if (!(await keys.isSigned(keyId, text, Buffer.from(signature, 'base64url')))) return undefined
  const facts: readonly unknown[] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return String(facts[4])
}
