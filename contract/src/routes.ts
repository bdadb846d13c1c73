import { login } from './auth.ts'
import { initBankTransfer, initUssd } from './bank-transfer.ts'
import { listBanks, listUssdBanks } from './banks.ts'
import {
  listBillerCategories,
  listBillerProducts,
  listBillers,
  requeryBill,
  validateBillCustomer,
  vendBill,
} from './bills.ts'
import { authorizeOtp, authorizeSecure3d, chargeCard } from './cards.ts'
import { collectCash } from './cash-collections.ts'
import {
  checkoutCard,
  checkoutOtp,
  checkoutTransfer,
  checkoutUssd,
  enquireName,
  getCheckout,
  inlineCheckout,
} from './checkout.ts'
import {
  authorizeMandate,
  cancelMandate,
  createMandate,
  debitMandate,
  getDebitStatus,
  getMandates,
  listMandates,
} from './direct-debit.ts'
import {
  authorizeBatch,
  authorizeTransfer,
  getBatch,
  getTransfer,
  getWalletBalance,
  initiateBatch,
  initiateTransfer,
  listBatches,
  listBatchTransfers,
  listTransfers,
  resendBatchCode,
  resendTransferCode,
  searchTransfers,
  validateAccount,
} from './disbursements.ts'
import { cancelInvoice, createInvoice, getInvoice, listInvoices } from './invoices.ts'
import { createLimitProfile, listLimitProfiles, updateLimitProfile } from './limit-profiles.ts'
import { cancelPaycode, createPaycode, getPaycode, listPaycodes, redeemPaycode, revealPaycode } from './paycodes.ts'
import { chargeCardToken } from './recurring.ts'
import { getRefund, initiateRefund, listRefunds } from './refunds.ts'
import {
  addLinkedAccounts,
  deallocateReservedAccount,
  getReservedAccount,
  listReservedAccountTransactions,
  reserveAccount,
  reserveAccountWithLimit,
  reserveInvoiceAccount,
  setLimitProfile,
  updateCustomerBvn,
  updateIncomeSplitConfig,
  updateKycInfo,
  updatePaymentSourceFilter,
} from './reserved-accounts.ts'
import type { Route } from './route.ts'
import {
  advanceClock,
  changeSettings,
  getSettings,
  listEvents,
  payIntoAccount,
  readClock,
  readInbox,
  resendEvent,
  resendEvents,
} from './sandbox.ts'
import { findSettledTransactions, getSettlementDetail, listSettlements } from './settlements.ts'
import {
  changeSubAccount,
  createSubAccounts,
  deleteSubAccount,
  deleteSubAccountByQuery,
  listSubAccounts,
} from './sub-accounts.ts'
import {
  cancelTransaction,
  getTransaction,
  initTransaction,
  queryTransaction,
  searchTransactions,
} from './transactions.ts'
import { getNinDetails, matchBvnAccount, matchBvnDetails } from './verification.ts'
import { createWallet, fundWallet, getCustomerWalletBalance, listWallets, listWalletTransactions } from './wallets.ts'

/** Every route by group and name, in the order in which a newcomer reads them. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  Authentication: { login },
  Transactions: { initTransaction, getTransaction, queryTransaction, searchTransactions, cancelTransaction },
  'Bank transfer': { initBankTransfer, initUssd },
  Refunds: { initiateRefund, getRefund, listRefunds },
  Transfers: {
    validateAccount,
    initiateTransfer,
    authorizeTransfer,
    resendTransferCode,
    getTransfer,
    listTransfers,
    initiateBatch,
    authorizeBatch,
    resendBatchCode,
    getBatch,
    listBatchTransfers,
    listBatches,
    searchTransfers,
    getWalletBalance,
  },
  Checkout: { getCheckout, checkoutTransfer, checkoutUssd, checkoutCard, checkoutOtp, inlineCheckout },
  Cards: { chargeCard, authorizeOtp, authorizeSecure3d },
  'Recurring payment': { chargeCardToken },
  Wallets: { createWallet, listWallets, getCustomerWalletBalance, listWalletTransactions },
  Verification: { matchBvnDetails, matchBvnAccount, getNinDetails },
  'Bills payment': {
    listBillerCategories,
    listBillers,
    listBillerProducts,
    validateBillCustomer,
    vendBill,
    requeryBill,
  },
  'Sub accounts': {
    createSubAccounts,
    listSubAccounts,
    changeSubAccount,
    deleteSubAccount,
    deleteSubAccountByQuery,
  },
  Settlements: { listSettlements, findSettledTransactions, getSettlementDetail },
  'Direct debit': { createMandate, getMandates, listMandates, debitMandate, getDebitStatus, cancelMandate },
  Paycodes: { createPaycode, getPaycode, revealPaycode, listPaycodes, cancelPaycode },
  'Reserved accounts': {
    reserveAccount,
    reserveInvoiceAccount,
    reserveAccountWithLimit,
    getReservedAccount,
    listReservedAccountTransactions,
    addLinkedAccounts,
    updateCustomerBvn,
    updateKycInfo,
    updatePaymentSourceFilter,
    updateIncomeSplitConfig,
    setLimitProfile,
    deallocateReservedAccount,
  },
  'Limit profiles': { createLimitProfile, listLimitProfiles, updateLimitProfile },
  Invoices: { createInvoice, getInvoice, listInvoices, cancelInvoice },
  Banks: { listBanks, listUssdBanks },
  Sandbox: {
    payIntoAccount,
    enquireName,
    fundWallet,
    authorizeMandate,
    redeemPaycode,
    collectCash,
    readInbox,
    getSettings,
    changeSettings,
    listEvents,
    resendEvent,
    resendEvents,
    readClock,
    advanceClock,
  },
}

/** Every route of the API, with the group in which the documentation shows it and its name. */
export const ROUTES = Object.entries(GROUPS).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ group, name, route })),
)
