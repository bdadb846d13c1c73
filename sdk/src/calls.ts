import type { Route } from '@kobo/contract'
import * as contract from '@kobo/contract'

/** A route as the SDK calls it. */
export interface Call<R extends Route = Route, BodyKey extends string | undefined = string | undefined> {
  readonly route: R
  /** The field that holds the body, if the body is not an object. */
  readonly bodyKey: BodyKey
}

const call = <R extends Route>(route: R): Call<R, undefined> => ({ route, bodyKey: undefined })
const callWithBody = <R extends Route, const Key extends string>(route: R, bodyKey: Key): Call<R, Key> => ({
  route,
  bodyKey,
})

/** Every route of the contract, by group and method name. */
export const CALLS = {
  authentication: { login: call(contract.login) },
  transactions: {
    init: call(contract.initTransaction),
    get: call(contract.getTransaction),
    query: call(contract.queryTransaction),
    search: call(contract.searchTransactions),
    cancel: call(contract.cancelTransaction),
  },
  bankTransfer: { init: call(contract.initBankTransfer), initUssd: call(contract.initUssd) },
  refunds: {
    initiate: call(contract.initiateRefund),
    get: call(contract.getRefund),
    list: call(contract.listRefunds),
  },
  disputes: {
    list: call(contract.listDisputes),
    get: call(contract.getDispute),
    submitEvidence: call(contract.submitEvidence),
    accept: call(contract.acceptDispute),
    getFile: call(contract.getDisputeFile),
  },
  transfers: {
    validateAccount: call(contract.validateAccount),
    initiate: call(contract.initiateTransfer),
    authorize: call(contract.authorizeTransfer),
    resendCode: call(contract.resendTransferCode),
    get: call(contract.getTransfer),
    list: call(contract.listTransfers),
    search: call(contract.searchTransfers),
    initiateBatch: call(contract.initiateBatch),
    authorizeBatch: call(contract.authorizeBatch),
    resendBatchCode: call(contract.resendBatchCode),
    getBatch: call(contract.getBatch),
    listBatch: call(contract.listBatchTransfers),
    listBatches: call(contract.listBatches),
    getBalance: call(contract.getWalletBalance),
  },
  mobile: {
    init: call(contract.sdkInit),
    query: call(contract.sdkQuery),
    transfer: call(contract.sdkTransfer),
    ussd: call(contract.sdkUssd),
    initCard: call(contract.sdkInitCard),
    cardRequirements: call(contract.sdkCardRequirements),
    charge: call(contract.sdkCharge),
    otp: call(contract.sdkOtp),
    listBanks: call(contract.sdkListBanks),
    otherMethod: call(contract.sdkOtherMethod),
  },
  checkout: {
    get: call(contract.getCheckout),
    transfer: call(contract.checkoutTransfer),
    ussd: call(contract.checkoutUssd),
    card: call(contract.checkoutCard),
    otp: call(contract.checkoutOtp),
    mailReceipt: call(contract.mailReceipt),
    checkReceipt: call(contract.checkReceipt),
    inline: call(contract.inlineCheckout),
  },
  cards: {
    charge: call(contract.chargeCard),
    authorizeOtp: call(contract.authorizeOtp),
    authorizeSecure3d: call(contract.authorizeSecure3d),
  },
  recurringPayment: { charge: call(contract.chargeCardToken) },
  wallets: {
    create: call(contract.createWallet),
    list: call(contract.listWallets),
    getBalance: call(contract.getCustomerWalletBalance),
    listTransactions: call(contract.listWalletTransactions),
  },
  verification: {
    matchBvnDetails: call(contract.matchBvnDetails),
    matchBvnAccount: call(contract.matchBvnAccount),
    getNinDetails: call(contract.getNinDetails),
  },
  billsPayment: {
    listCategories: call(contract.listBillerCategories),
    listBillers: call(contract.listBillers),
    listProducts: call(contract.listBillerProducts),
    validateCustomer: call(contract.validateBillCustomer),
    vend: call(contract.vendBill),
    requery: call(contract.requeryBill),
  },
  subAccounts: {
    create: callWithBody(contract.createSubAccounts, 'subAccounts'),
    list: call(contract.listSubAccounts),
    change: call(contract.changeSubAccount),
    delete: call(contract.deleteSubAccount),
    deleteByQuery: call(contract.deleteSubAccountByQuery),
  },
  settlements: {
    list: call(contract.listSettlements),
    findTransactions: call(contract.findSettledTransactions),
    getDetail: call(contract.getSettlementDetail),
  },
  directDebit: {
    createMandate: call(contract.createMandate),
    getMandates: call(contract.getMandates),
    listMandates: call(contract.listMandates),
    debit: call(contract.debitMandate),
    getDebitStatus: call(contract.getDebitStatus),
    cancelMandate: call(contract.cancelMandate),
  },
  paycodes: {
    create: call(contract.createPaycode),
    get: call(contract.getPaycode),
    reveal: call(contract.revealPaycode),
    list: call(contract.listPaycodes),
    cancel: call(contract.cancelPaycode),
  },
  reservedAccounts: {
    reserve: call(contract.reserveAccount),
    reserveForInvoices: call(contract.reserveInvoiceAccount),
    reserveWithLimit: call(contract.reserveAccountWithLimit),
    get: call(contract.getReservedAccount),
    listTransactions: call(contract.listReservedAccountTransactions),
    addLinkedAccounts: call(contract.addLinkedAccounts),
    updateCustomerBvn: call(contract.updateCustomerBvn),
    updateKycInfo: call(contract.updateKycInfo),
    updatePaymentSourceFilter: call(contract.updatePaymentSourceFilter),
    updateIncomeSplitConfig: callWithBody(contract.updateIncomeSplitConfig, 'incomeSplitConfig'),
    setLimitProfile: call(contract.setLimitProfile),
    deallocate: call(contract.deallocateReservedAccount),
  },
  limitProfiles: {
    create: call(contract.createLimitProfile),
    list: call(contract.listLimitProfiles),
    update: call(contract.updateLimitProfile),
  },
  invoices: {
    create: call(contract.createInvoice),
    get: call(contract.getInvoice),
    list: call(contract.listInvoices),
    cancel: call(contract.cancelInvoice),
    mail: call(contract.mailInvoice),
  },
  paymentLinks: {
    create: call(contract.createPaymentLink),
    get: call(contract.getPaymentLink),
    list: call(contract.listPaymentLinks),
    disable: call(contract.disablePaymentLink),
    mail: call(contract.mailPaymentLink),
  },
  customers: { list: call(contract.listCustomers) },
  banks: { list: call(contract.listBanks), listForUssd: call(contract.listUssdBanks) },
  merchantSettings: { get: call(contract.getMerchantSettings), change: call(contract.changeMerchantSettings) },
  webhookEndpoints: {
    list: call(contract.listWebhookEndpoints),
    create: call(contract.createWebhookEndpoint),
    change: call(contract.changeWebhookEndpoint),
    rotateSecret: call(contract.rotateWebhookSecret),
    remove: call(contract.removeWebhookEndpoint),
  },
  eventLog: {
    list: call(contract.listMerchantEvents),
    get: call(contract.getMerchantEvent),
    resend: call(contract.resendMerchantEvent),
    resendTo: call(contract.resendMerchantEventTo),
    resendSince: call(contract.resendMerchantEvents),
    sendTest: call(contract.sendTestEvent),
  },
  requestLog: {
    list: call(contract.listMerchantRequests),
    get: call(contract.getMerchantRequest),
  },
  sandbox: {
    payIntoAccount: call(contract.payIntoAccount),
    enquireName: call(contract.enquireName),
    fundWallet: call(contract.fundWallet),
    authorizeMandate: call(contract.authorizeMandate),
    redeemPaycode: call(contract.redeemPaycode),
    collectCash: call(contract.collectCash),
    openDispute: call(contract.openSandboxDispute),
    decideDispute: call(contract.decideSandboxDispute),
    readInbox: call(contract.readInbox),
    getSettings: call(contract.getSettings),
    changeSettings: call(contract.changeSettings),
    listEvents: call(contract.listEvents),
    listenToEvents: call(contract.listenToEvents),
    resendEvent: call(contract.resendEvent),
    resendEvents: call(contract.resendEvents),
    readClock: call(contract.readClock),
    advanceClock: call(contract.advanceClock),
    getReport: call(contract.getReport),
    saveReport: call(contract.saveReport),
  },
} satisfies { readonly [G in keyof typeof contract.GROUPS]: Readonly<Record<string, Call>> }

export type Calls = typeof CALLS
