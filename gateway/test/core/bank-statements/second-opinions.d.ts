/** Types of third-party parsers that the tests compare with. */
declare module 'mt940js' {
  interface Transaction {
    readonly date: Date
    readonly entryDate?: Date
    readonly amount: number
    readonly transactionType: string
    readonly reference: string
    readonly bankReference?: string
    readonly details?: string
  }
  interface Statement {
    readonly accountIdentification: string
    readonly openingBalance: number
    readonly closingBalance: number
    readonly closingBalanceDate: Date
    readonly transactions: readonly Transaction[]
  }
  export class Parser {
    parse(text: string): readonly Statement[]
  }
  const mt940js: { readonly Parser: typeof Parser }
  export default mt940js
}

declare module 'camt-parser' {
  interface Amount {
    readonly currency: string
    readonly value: string
  }
  interface Transaction {
    readonly amount: Amount
    readonly creditDebitIndicator: string
    readonly bookingDate: string
    readonly accountServicerReference: string
    readonly details: readonly {
      readonly references: { readonly accountServicerReference: string; readonly endToEndId: string }
    }[]
  }
  interface Statement {
    readonly account: { readonly iban: string }
    readonly balances: readonly {
      readonly type: string
      readonly amount: Amount
      readonly creditDebitIndicator: string
      readonly date: string
    }[]
    readonly transactions: readonly Transaction[]
  }
  export function parseCamt053(xml: string): Promise<{ readonly statements: readonly Statement[] }>
}
