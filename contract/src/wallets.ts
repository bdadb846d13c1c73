import Type from 'typebox'
import { AccountNumber, Amount, Email, Naira, nullable, optional, Reference, Text, words } from './fields.ts'
import { PageNumberQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal } from './personal-data.ts'
import { noAccount, walletRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

const BvnDetails = Type.Object({
  bvn: Type.String({ pattern: '^\\d{11}$', 'x-rule': '11 digits', examples: ['22222222226'] }),
  bvnDateOfBirth: Type.String({ 'x-day': true, description: 'yyyy-MM-dd', examples: ['1994-09-07'] }),
})

/** A wallet that a merchant holds for a customer. */
export const CustomerWallet = Type.Object({
  walletName: personal(Type.String()),
  walletReference: Type.String(),
  customerName: personal(Type.String()),
  customerEmail: personal(Type.String()),
  feeBearer: words(['SELF']),
  bvnDetails: personal(BvnDetails),
  accountNumber: personal(Type.String({ description: 'wallet’s own account number, at bank 50515' })),
  accountName: personal(Type.String()),
  topUpAccountDetails: Type.Object({
    accountNumber: personal(Type.String()),
    accountName: personal(Type.String()),
    bankCode: Type.String(),
    bankName: Type.String(),
    createdOn: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
  }),
})

export const WALLET_ENTRY_TYPES = ['DEBIT', 'CREDIT'] as const

/** An entry in a wallet's statement. */
export const WalletTransaction = Type.Object({
  walletTransactionReference: Type.String(),
  transactionReference: Type.String(),
  availableBalanceBefore: Type.Number({ description: 'Naira', examples: [0] }),
  availableBalanceAfter: Naira,
  amount: Naira,
  transactionDate: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
  transactionType: words(WALLET_ENTRY_TYPES),
  message: personal(Type.String({ examples: ['Top-up from BOLA ADE'] })),
  narration: nullable(personal(Type.String())),
  status: Type.String({ examples: ['SUCCESS'] }),
})

const WalletBalance = Type.Object({
  availableBalance: Naira,
  ledgerBalance: Type.Number({ description: 'Naira, including pending transfers', examples: [9000] }),
})

/** Selects a wallet by its account number or by the merchant's reference. */
const WalletQuery = {
  accountNumber: Type.Optional(AccountNumber),
  walletReference: Type.Optional(Reference),
}

export const createWallet = route({
  method: 'POST',
  path: '/api/v1/disbursements/wallet',
  summary: 'Create a wallet for a customer',
  description:
    'Money paid into the top-up account, or into the wallet’s own number if a bank provides one, is in the wallet at once, without a fee.',
  permission: 'wallets',
  person: 'collect.make',
  body: Type.Object({
    walletReference: Reference,
    walletName: Text,
    customerName: Text,
    customerEmail: Email,
    bvnDetails: BvnDetails,
  }),
  reply: CustomerWallet,
  refusals: [walletRefusals.duplicateReference, ...noAccount],
})

export const listWallets = route({
  method: 'GET',
  path: '/api/v1/disbursements/wallet',
  summary: 'List customer wallets, newest first',
  permission: 'wallets',
  person: 'payer.read',
  query: Type.Object({
    ...PageNumberQuery,
    walletReference: Type.Optional(Type.String({ maxLength: 128 })),
    customerEmail: Type.Optional(personal(Type.String({ maxLength: 255 }))),
  }),
  reply: page(CustomerWallet),
})

export const getCustomerWalletBalance = route({
  method: 'GET',
  path: '/api/v1/disbursements/wallet/balance',
  summary: 'Get the balance of a wallet',
  permission: 'wallets',
  person: 'balances.read',
  query: Type.Object(WalletQuery),
  reply: WalletBalance,
  refusals: [walletRefusals.walletRequired, walletRefusals.notFound],
})

export const listWalletTransactions = route({
  method: 'GET',
  path: '/api/v1/disbursements/wallet/transactions',
  summary: 'Get a wallet’s statement, newest first',
  description: 'Works for customer wallets and for the merchant’s own.',
  permission: 'wallets',
  person: 'balances.read',
  query: Type.Object({ ...PageNumberQuery, ...WalletQuery }),
  reply: page(WalletTransaction),
  refusals: [walletRefusals.walletRequired, walletRefusals.notFound],
})

export const fundWallet = route({
  method: 'POST',
  path: '/sandbox/wallet/fund',
  summary: 'Fund a wallet',
  description: 'Funds the merchant’s own wallet if `accountNumber` is not given.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  body: Type.Object({ accountNumber: optional(AccountNumber), amount: Amount }),
  reply: Type.Object({ accountNumber: Type.String(), ...WalletBalance.properties }),
  refusals: [walletRefusals.notFound],
})

export const wallets = group({
  title: 'Wallets',
  text: 'Customer wallets, each with an account to pay into, and the statement of any wallet.',
  routes: { createWallet, listWallets, getCustomerWalletBalance, listWalletTransactions },
  refusals: walletRefusals,
})
